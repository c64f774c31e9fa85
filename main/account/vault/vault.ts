/** The system keychain, see `safeStorage`. */
export interface Cipher {
  /** False without a real keychain (Linux `basic_text` doesn't count). */
  available(): boolean;
  encrypt(plain: string): Buffer;
  /** Throws if the system can't decrypt, for example after the keychain was recreated. */
  decrypt(sealed: Buffer): string;
}

export interface Vault {
  /** False: secrets live in memory only and are lost on restart. */
  readonly persistent: boolean;
  /** Oldest first; includes entries that can't be decrypted. */
  keys(): readonly string[];
  /** Undefined if missing or no longer decryptable. */
  get(key: string): string | undefined;
  /**
   * Returns once the value is stored (on disk if persistent). Throws if that fails but keeps the value in
   * memory.
   */
  set(key: string, value: string): void;
  delete(key: string): void;
}
