import { beforeEach, expect, it } from 'vitest';
import { governSettings } from '../../../main/policy/governed-settings.ts';
import type { Policy } from '../../../main/policy/policy.ts';
import { type Settings, type SettingsStore, settingsSchema } from '../../../main/settings.ts';

const office = { name: 'Office', baseUrl: 'https://api.office.example', authUrl: 'https://office.example' };
const ownService = { name: 'Mine', baseUrl: 'https://api.mine.example', authUrl: 'https://mine.example' };
const policy: Policy = {
  services: { offered: [{ ...office, clientId: '4711' }], only: true },
  caFile: '/etc/ssl/office.pem',
  updates: { allowed: true, channel: 'beta' },
};

let ownSettings: Settings;
let store: SettingsStore;
beforeEach(() => {
  ownSettings = settingsSchema.parse({
    services: [ownService],
    clientIds: { [office.baseUrl]: '1', [ownService.baseUrl]: '2' },
    network: { caFile: '/home/mara/ca.pem' },
    appearance: 'dark',
  });
  store = governSettings(
    {
      get: () => ownSettings,
      update: (change) => {
        ownSettings = settingsSchema.parse({ ...ownSettings, ...change });
      },
    },
    policy,
  );
});

it('governed settings return the policy’s values instead of the user’s, and the others unchanged', () => {
  expect(store.get()).toEqual({
    ...ownSettings,
    services: [],
    clientIds: { [office.baseUrl]: '4711', [ownService.baseUrl]: '2' },
    network: { caFile: '/etc/ssl/office.pem' },
    updates: { check: true, channel: 'beta' },
  });
});

it('governed settings never store the policy’s values in the user’s settings', () => {
  const previous = ownSettings;
  store.update(store.get());
  expect(ownSettings).toEqual(previous);
});

it('governed settings store the user’s changes', () => {
  store.update({ updates: { check: false, channel: 'beta' } });
  expect(ownSettings.updates).toEqual({ check: false, channel: 'latest' });
  store.update({ appearance: 'light', clientIds: { ...store.get().clientIds, [ownService.baseUrl]: '3' } });
  expect(ownSettings.appearance).toBe('light');
  expect(ownSettings.clientIds).toEqual({ [office.baseUrl]: '1', [ownService.baseUrl]: '3' });
});

it('governed settings equal the user’s settings without a policy', () => {
  const free = governSettings({ get: () => ownSettings, update: () => {} }, {});
  expect(free.get()).toEqual(ownSettings);
});
