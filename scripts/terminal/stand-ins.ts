import type { Cipher } from '../../main/account/vault/vault.ts';
import { type Settings, type SettingsStore, settingsSchema } from '../../main/settings.ts';

/** The terminal has no keychain: secrets stay in memory. */
export const noKeychain: Cipher = {
  available: () => false,
  encrypt: () => {
    throw new Error('There is no keychain');
  },
  decrypt: () => {
    throw new Error('There is no keychain');
  },
};

/** Settings for one run. */
export function settingsInMemory(given: Partial<Settings> = {}): SettingsStore {
  let settings: Settings = settingsSchema.parse(given);
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
    },
  };
}
