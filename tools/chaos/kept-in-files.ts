import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Cipher } from '../../main/account/vault/vault.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** Replaces the system's keychain with AES-256-GCM. `hexKey`: 64 hex digits. */
export function aesCipher(hexKey: string): Cipher {
  const key = Buffer.from(hexKey, 'hex');
  if (key.length !== 32) throw new Error('the vault needs a key of 64 hex digits');
  return {
    available: () => true,
    encrypt: (plainText) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealedBytes = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealedBytes]);
    },
    decrypt: (sealedBytes) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealedBytes.subarray(0, nonceBytes));
      decipher.setAuthTag(sealedBytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return (
        decipher.update(sealedBytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') +
        decipher.final('utf8')
      );
    },
  };
}
