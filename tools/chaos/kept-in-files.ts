import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cipher } from '../../main/account/vault/vault.ts';
import { type SettingsStore, settingsSchema } from '../../main/settings.ts';
import { writeWholeSync } from '../../main/whole-file.ts';

/** Settings that outlive a kill. */
export function settingsInFile(folder: string): SettingsStore {
  const file = join(folder, 'settings.json');
  let settings = settingsSchema.parse(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
      writeWholeSync(file, JSON.stringify(settings), `${file}.new`);
    },
  };
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM in place of the system's keychain. `hexKey`: 64 hex digits. */
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
