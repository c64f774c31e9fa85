import { expect, it, vi } from 'vitest';
import { createGrantedPaths } from '../../../main/ipc/granted-paths.ts';
import type { HandlerParts } from '../../../main/ipc/handlers/handlers.ts';
import { noPolicy } from '../../../main/policy/policy.ts';
import type { NewAssetInput } from '../../../preload/contract.ts';
import { settingsInMemory } from '../account/stand-ins.ts';

vi.mock('electron', () => ({ dialog: {}, clipboard: {}, nativeTheme: {} }));
const { createHandlers } = await import('../../../main/ipc/handlers/handlers.ts');

const town: NewAssetInput = {
  name: 'Town',
  description: '',
  assetType: '3DTILES',
  sourceType: 'CITYGML',
  clampToTerrain: false,
  baseTerrainId: null,
  options: '{}',
  kindKey: null,
  acceptForecast: false,
  paths: ['/town'],
};

/** Inspects a source in the first account, then creates an asset with these accounts signed in. */
async function accountAfter(signedInIds: readonly string[]): Promise<readonly string[]> {
  let accounts = ['office', 'crew'];
  const usedIds: string[] = [];
  const granted = createGrantedPaths(() => []);
  granted.grant(['/town']);
  const tilelift = {
    accounts: {
      state: () => ({ kind: 'signed-in', account: { id: accounts[0] } }),
      accounts: () => accounts.map((id) => ({ id })),
    },
    jobs: { add: ({ accountId }: { accountId: string }) => usedIds.push(accountId) },
    inspector: {
      ask: async () => Promise.reject(new Error('nothing is there')),
      requestPart: async () => ({ paths: ['/town'], inputCrs: null }),
    },
  };
  const parts = {
    thumbnails: { adopt: () => {} },
    tilelift,
    settings: settingsInMemory(),
    granted,
    policy: noPolicy,
    presets: [],
  };
  const handlers = createHandlers(parts as unknown as HandlerParts);
  await handlers['source.inspect']({ paths: ['/town'], round: 1 }).catch(() => {});
  accounts = [...signedInIds];
  await handlers['jobs.create'](town);
  return usedIds;
}

it('a new asset keeps the account of its sheet even after that sign-in is lost', async () => {
  expect(await accountAfter(['crew'])).toEqual(['office']);
  expect(await accountAfter(['office', 'crew'])).toEqual(['office']);
});

it('a new asset follows a switch to another account', async () => {
  expect(await accountAfter(['crew', 'office'])).toEqual(['crew']);
});
