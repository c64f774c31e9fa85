import type { SafeStorage } from 'electron';
import type { Cipher } from '../account/vault.ts';

/**
 * The system's keychain. Only after Electron is ready; before that it answers "unavailable".
 * On Linux the backends `basic_text` and `unknown` are no keychain: their password is fixed and public.
 */
export function keychainCipher(safeStorage: SafeStorage): Cipher {
  return {
    available: () => safeStorage.isEncryptionAvailable() && !isFixedPassword(safeStorage),
    encrypt: (plain) => safeStorage.encryptString(plain),
    decrypt: (sealed) => safeStorage.decryptString(sealed),
  };
}

function isFixedPassword(safeStorage: SafeStorage): boolean {
  if (process.platform !== 'linux') return false;
  const backend = safeStorage.getSelectedStorageBackend();
  return backend === 'basic_text' || backend === 'unknown';
}
