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
    encrypt: (plain) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    decrypt: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      return (
        decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      );
    },
  };
}
