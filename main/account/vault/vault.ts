/** Keeps secrets: encrypted on disk where the system has a keychain, in memory only where it has none. */

/** The system keychain, as `safeStorage` gives it. */
export interface Cipher {
  /** False where the system has no real keychain (Linux `basic_text` counts as none). */
  available(): boolean;
  encrypt(plain: string): Buffer;
  /** Throws when the system can't decrypt, for example after the keychain was created again. */
  decrypt(sealed: Buffer): string;
}

export interface Vault {
  /** False: secrets live in memory only and are gone after a restart. */
  readonly persistent: boolean;
  /** Names of what is kept, the oldest first; also of what `get` will find that it can't decrypt any more. */
  keys(): readonly string[];
  /** Undefined when nothing is kept, or when it can't be decrypted any more. */
  get(key: string): string | undefined;
  /**
   * Returns once the value is safe (on disk, when persistent). When that fails it throws and keeps it in
   * memory.
   */
  set(key: string, value: string): void;
  delete(key: string): void;
}
