/** See `safeStorage`. */
export interface Cipher {
  /** False without a real keychain (Linux `basic_text` doesn't count). */
  available(): boolean;
  encrypt(plainText: string): Buffer;
  /** Throws, for example after the keychain was recreated. */
  decrypt(sealedBytes: Buffer): string;
}

export interface Vault {
  /** False: secrets are lost on restart. */
  readonly persistent: boolean;
  /** Oldest first; includes entries that can't be decrypted. */
  keys(): readonly string[];
  get(key: string): string | undefined;
  /** Returns once stored; after a failure it throws but keeps the value in memory. */
  set(key: string, value: string): void;
  delete(key: string): void;
}
