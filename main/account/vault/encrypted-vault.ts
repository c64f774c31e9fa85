import { type Log, silentLog } from '../../log.ts';
import type { Cipher, Vault } from './vault.ts';
import { readVaultFile, writeVaultFile } from './vault-file.ts';

export interface VaultOptions {
  /** A JSON file of sealed values. Its folder is made when missing. */
  readonly file: string;
  readonly cipher: Cipher;
  readonly log?: Log;
}

/**
 * A vault over the system's keychain. Without one it lives in memory and never touches the file, which may hold what a
 * keychain that comes back can still open. Entries that can't be decrypted read as if they had never been kept.
 */
export function createVault({ file, cipher, log = silentLog }: VaultOptions): Vault {
  const persistent = cipher.available();
  const plain = new Map<string, string>();
  const sealed = persistent ? readVaultFile(file, log) : new Map<string, Buffer>();

  function save(): void {
    if (persistent) writeVaultFile(file, sealed);
  }

  function open(key: string): string | undefined {
    const value = sealed.get(key);
    if (value === undefined) return undefined;
    try {
      const text = cipher.decrypt(value);
      plain.set(key, text);
      return text;
    } catch (cause) {
      log.warn({ entry: key, cause }, 'A kept secret can’t be decrypted any more.');
      return undefined;
    }
  }

  return {
    persistent,
    keys: () => [...new Set([...sealed.keys(), ...plain.keys()])],
    get: (key) => plain.get(key) ?? open(key),
    set: (key, value) => {
      plain.set(key, value);
      if (persistent) sealed.set(key, cipher.encrypt(value));
      save();
    },
    delete: (key) => {
      const wasPlain = plain.delete(key);
      const wasSealed = sealed.delete(key);
      if (wasPlain || wasSealed) save();
    },
  };
}
