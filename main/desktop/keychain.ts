import type { SafeStorage } from 'electron';
import type { AppInfo } from '../../preload/contract.ts';
import type { Cipher } from '../account/vault/vault.ts';

/** The system's keychain; unavailable until Electron is ready. */
export function keychainCipher(safeStorage: SafeStorage): Cipher {
  return {
    available: () => keychainState(safeStorage) === 'in-use',
    encrypt: (plain) => safeStorage.encryptString(plain),
    decrypt: (sealed) => safeStorage.decryptString(sealed),
  };
}

/** The keychain's state for users. An existing keychain without a key is locked. */
export function keychainState(safeStorage: SafeStorage): AppInfo['keychain'] {
  if (isFixedPassword(safeStorage)) return 'none';
  if (safeStorage.isEncryptionAvailable()) return 'in-use';
  return process.platform === 'win32' ? 'none' : 'locked';
}

/** On Linux `basic_text` and `unknown` don't count: their password is fixed and public. */
function isFixedPassword(safeStorage: SafeStorage): boolean {
  if (process.platform !== 'linux') return false;
  const backend = safeStorage.getSelectedStorageBackend();
  return backend === 'basic_text' || backend === 'unknown';
}
