import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { composeTilelift, type Tilelift } from '../../../main/app.ts';
import type { JobSnapshot } from '../../../main/jobs/model.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/outside.ts';
import { parseServiceAddress } from '../../../main/service/service-address.ts';
import { connectToRunning } from '../../../main/socket/client.ts';
import { serveCommands } from '../../../main/socket/serve-commands.ts';
import { noKeychain, settingsInMemory } from '../../../scripts/terminal/stand-ins.ts';
import { allowInBrowser } from '../../service/person.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { aHome } from './socket-house.ts';

it('an upload that is handed over is followed to its end, and stands in the status', async () => {
  const home = await aHome();
  const service = await startEmbeddedService({ dataFolder: join(home, 'storage'), tilingMs: 30 });
  onTestFinished(() => service.stop());
  const tilelift: Tilelift = composeTilelift({
    folder: join(home, 'tilelift'),
    clock: systemClock,
    fetch,
    openBrowser: async (link) => {
      await tilelift.accounts.handleCallback(await allowInBrowser(link));
    },
    cipher: noKeychain,
    settings: settingsInMemory(),
    log: silentLog,
    uploadWorker: new URL('../../../main/workers/upload-worker.ts', import.meta.url),
    scanWorker: new URL('../../../main/workers/scan-worker.ts', import.meta.url),
    pollMs: 20,
  });
  onTestFinished(async () => {
    await tilelift.stop();
  });
  await tilelift.start();
  const server = await serveCommands({
    ...tilelift,
    ...{ home: join(home, 'tilelift'), owner: 'desktop', version: '1', clock: systemClock, log: silentLog },
  });
  onTestFinished(() => server.stop());
  const running = await connectToRunning(join(home, 'tilelift'));
  if (!running) throw new Error('nobody is there');
  onTestFinished(() => running.close());
  await mkdir(join(home, 'data'));
  await writeFile(join(home, 'data', 'a.gml'), 'x'.repeat(100_000));
  const body = { name: 'Handed over', type: '3DTILES', options: { sourceType: 'CITYGML' } } as const;
  const job = { accountId: null, paths: [join(home, 'data')], body, acceptForecast: true };

  await expect(running.ask('submit', { job })).rejects.toMatchObject({ code: 'not-signed-in' });
  expect(await running.ask('status', {})).toMatchObject({ health: 'failing', lastSuccessAt: null });

  const { baseUrl, authUrl } = service;
  await tilelift.accounts.signIn(parseServiceAddress({ baseUrl, authUrl }));
  const { jobId } = await running.ask('submit', { job });
  const seen = new Set<JobSnapshot['status']>();
  const end = await running.ask('follow', { jobId }, ({ status }) => seen.add(status));
  expect(end).toMatchObject({ status: 'complete', bytesDone: 100_000, fileCount: 1 });
  expect(seen.size).toBeGreaterThan(0);
  const status = await running.ask('status', {});
  expect(status).toMatchObject({ health: 'healthy', lastSuccessAt: end?.endedAt, jobs: { complete: 1 } });
  expect(service.control.assets()).toEqual([expect.objectContaining({ name: 'Handed over' })]);
});
