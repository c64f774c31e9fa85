import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Cipher } from '../../account/vault/vault.ts';

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/**
 * A cipher for machines without keychain: AES-256-GCM under a key that is made of a secret which lies
 * elsewhere (HKDF-SHA256). Without that secret nobody opens what was sealed, and nothing of it is on disk
 * here.
 */
export function cipherOf(secret: string): Cipher {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tilelift vault 1', keyBytes));
  return {
    available: () => true,
    encrypt: (plain) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    decrypt: (sealed) => {
      const nonce = sealed.subarray(0, nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      const plain = decipher.update(sealed.subarray(nonceBytes + tagBytes));
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    },
  };
}

/** Where no secret was named: what would be secret stays in memory. */
export const noCipher: Cipher = {
  available: () => false,
  encrypt: () => {
    throw new Error('There is no key');
  },
  decrypt: () => {
    throw new Error('There is no key');
  },
};
