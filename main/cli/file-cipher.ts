import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Cipher } from '../account/vault/vault.ts';

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** AES-256-GCM with a key derived from an external secret (HKDF-SHA256). */
export function cipherOf(secret: string): Cipher {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tilelift vault 1', keyBytes));
  return {
    available: () => true,
    encrypt: (plainText) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealedBytes = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealedBytes]);
    },
    decrypt: (sealedBytes) => {
      const nonce = sealedBytes.subarray(0, nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAuthTag(sealedBytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const plainText = decipher.update(sealedBytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([plainText, decipher.final()]).toString('utf8');
    },
  };
}

/** Without a secret, the vault stays in memory. */
export const noCipher: Cipher = {
  available: () => false,
  encrypt: () => {
    throw new Error('There is no key');
  },
  decrypt: () => {
    throw new Error('There is no key');
  },
};
