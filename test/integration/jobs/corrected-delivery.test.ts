import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createInspector } from '../../../main/inspect/session/inspector.ts';
import { createGrantedPaths } from '../../../main/ipc/granted-paths.ts';
import type { HandlerParts } from '../../../main/ipc/handlers/handlers.ts';
import { noPolicy } from '../../../main/policy/policy.ts';
import { settingsInMemory } from '../../unit/account/stand-ins.ts';
import { body, type House, hasStatus, openHouse } from './house.ts';

vi.mock('electron', () => ({ dialog: {}, clipboard: {}, nativeTheme: {} }));
const { createHandlers } = await import('../../../main/ipc/handlers/handlers.ts');

let house: House;
const inspector = createInspector();
beforeEach(async () => {
  house = await openHouse();
});
afterEach(async () => {
  await house.close();
  inspector.close();
});

it('corrects an upload of a watched folder without the files that its rule ignores', async () => {
  const source = await house.source({ 'a.las': 100, 'b.las': 90, 'raw/c.las': 80 });
  house.service.control.setTiling({ end: 'DATA_ERROR', error: 'No positions' });
  const failedId = house.jobs.add({
    accountId: 'me',
    paths: [source],
    body,
    acceptForecast: false,
    exactly: { keysFrom: source, gitignore: ['raw/'], fingerprint: null },
  });
  await house.until(failedId, hasStatus('data-error'));
  house.service.control.setTiling({ end: 'COMPLETE' });

  const parts = {
    thumbnails: { adopt: () => {} },
    tilelift: { jobs: house.jobs, inspector, accounts: {} },
    settings: settingsInMemory(),
    granted: createGrantedPaths(() => []),
    policy: noPolicy,
    presets: [],
    notifySeen: () => {},
    notifyWalked: () => {},
  };
  const handlers = createHandlers(parts as unknown as HandlerParts);
  const view = await handlers['source.inspect']({ paths: [source], round: 1, correcting: failedId });
  expect(view).toMatchObject({ fileCount: 2, asSent: { name: body.name } });
  const id = await handlers['jobs.create']({
    ...{ name: 'Corrected', description: '', assetType: '3DTILES', sourceType: 'POINT_CLOUD' },
    ...{ clampToTerrain: false, baseTerrainId: null, options: '{}', kindKey: null, acceptForecast: false },
    ...{ paths: view.paths, predecessor: failedId },
  });
  const job = await house.until(id, hasStatus('complete'));
  expect(job).toMatchObject({ byRule: true, predecessor: failedId });
  expect([...house.jobs.sentFiles(id)].map(({ key }) => key).toSorted()).toEqual(['a.las', 'b.las']);
});
