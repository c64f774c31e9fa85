import type { SafeStorage } from 'electron';
import type { AppInfo } from '../../preload/contract.ts';
import type { Cipher } from '../account/vault/vault.ts';

/** Unavailable until Electron is ready. */
export function keychainCipher(safeStorage: SafeStorage): Cipher {
  return {
    available: () => keychainState(safeStorage) === 'in-use',
    encrypt: (plainText) => safeStorage.encryptString(plainText),
    decrypt: (sealedBytes) => safeStorage.decryptString(sealedBytes),
  };
}

/** Locked: there is a keychain, but no key. */
export function keychainState(safeStorage: SafeStorage): AppInfo['keychain'] {
  if (isFixedPassword(safeStorage)) return 'none';
  if (safeStorage.isEncryptionAvailable()) return 'in-use';
  return process.platform === 'win32' ? 'none' : 'locked';
}

/** Linux `basic_text` and `unknown` have a fixed, public password. */
function isFixedPassword(safeStorage: SafeStorage): boolean {
  if (process.platform !== 'linux') return false;
  const backend = safeStorage.getSelectedStorageBackend();
  return backend === 'basic_text' || backend === 'unknown';
}
