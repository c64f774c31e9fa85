import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Tilelift } from '../../../main/app.ts';
import { noCipher } from '../../../main/cli/file-cipher.ts';
import type { JobSnapshot } from '../../../main/jobs/model.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { parseServiceAddress } from '../../../main/service/service-address.ts';
import { connectToRunning } from '../../../main/socket/client.ts';
import { serveCommands } from '../../../main/socket/serve-commands.ts';
import { allowInBrowser } from '../../service/person.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { composeForTest } from '../compose-for-test.ts';
import { aHome } from './socket-house.ts';

/** A Tilelift with its socket, and data to hand over to it. */
async function anOwner({ signsIn = true, beyondContract = false } = {}) {
  const home = await aHome();
  const service = await startEmbeddedService({
    ...{ dataFolder: join(home, 'storage'), tilingMs: 30, beyondContract },
  });
  onTestFinished(() => service.stop());
  const tilelift: Tilelift = composeForTest(join(home, 'tilelift'), {
    openBrowser: async (link) => {
      await tilelift.accounts.handleCallback(await allowInBrowser(link));
    },
    cipher: noCipher,
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
  onTestFinished(() => running.disconnect());
  await mkdir(join(home, 'data'));
  await writeFile(join(home, 'data', 'a.gml'), 'x'.repeat(100_000));
  const body = { name: 'Handed over', type: '3DTILES', options: { sourceType: 'CITYGML' } } as const;
  const job = { accountId: null, paths: [join(home, 'data')], body, acceptForecast: true };
  const { baseUrl, authUrl } = service;
  const signIn = () => tilelift.accounts.signIn(parseServiceAddress({ baseUrl, authUrl }));
  if (signsIn) await signIn();
  return { service, running, job, signIn };
}

it('follows a handed-over upload to its end and lists it in the status', async () => {
  const { service, running, job, signIn } = await anOwner({ signsIn: false });
  await expect(running.ask('submit', { job, again: false })).rejects.toMatchObject({ code: 'not-signed-in' });
  expect(await running.ask('status', {})).toMatchObject({ health: 'failing', lastSuccessAt: null });

  await signIn();
  const added = await running.ask('submit', { job, again: false });
  expect(added).toMatchObject({ kind: 'new', job: { name: 'Handed over' } });
  const jobId = added.job.id;
  const statuses = new Set<JobSnapshot['status']>();
  const end = await running.ask('follow', { jobId }, ({ status }) => statuses.add(status));
  expect(end).toMatchObject({ status: 'complete', bytesDone: 100_000, fileCount: 1 });
  expect(statuses.size).toBeGreaterThan(0);
  const status = await running.ask('status', {});
  expect(status).toMatchObject({ health: 'healthy', lastSuccessAt: end?.endedAt, jobs: { complete: 1 } });
  expect(await running.ask('submit', { job, again: false })).toMatchObject({
    kind: 'made',
    job: { id: jobId },
  });
  expect(service.control.assets()).toEqual([expect.objectContaining({ name: 'Handed over' })]);
});

/** A value that violates the type, as another program may send it. */
const unlike = (value: unknown) => value as never;

it('S127: handed-over upload: refuses an account, a path and a request that the owner’s window couldn’t use', async () => {
  const { running, job, service } = await anOwner();
  const submit = (change: object) =>
    running.ask('submit', { job: unlike({ ...job, ...change }), again: false });
  const body = (change: object) => submit({ body: { ...job.body, ...change } });
  const [{ id: ownId = '' } = {}] = (await running.ask('accounts', {})).accounts;

  await expect(submit({ accountId: 'someone-else' })).rejects.toMatchObject({ code: 'not-signed-in' });
  await expect(submit({ paths: ['/nowhere/at/all'] })).rejects.toMatchObject({
    ...{ code: 'source-missing', subject: '/nowhere/at/all' },
  });
  await expect(body({ type: 'TERRAIN' })).rejects.toMatchObject({ code: 'source-type-mismatch' });
  await expect(body({ name: ' ' })).rejects.toMatchObject({ code: 'asset-name-empty' });
  for (const wrongRequest of [
    submit({ paths: ['relative'] }),
    submit({ exactly: { keysFrom: '/', gitignore: [], fingerprint: null } }),
    body({ type: 'a globe' }),
    body({ options: { sourceType: 'CITYGML', clampToTerrain: 'yes' } }),
    body({ options: { sourceType: 'CITYGML', baseTerrainId: -4 } }),
    body({ options: { sourceType: 'CITYGML', big: 'x'.repeat(200_000) } }),
  ])
    await expect(wrongRequest).rejects.toMatchObject({ code: 'socket-misunderstood' });
  expect((await running.ask('jobs', {})).jobs).toEqual([]);
  expect(service.control.assets()).toEqual([]);

  const { kind } = await submit({ accountId: ownId });
  expect(kind).toBe('new');
});

it('reads and changes assets with the sign-in of the process that holds it', async () => {
  const { running, service } = await anOwner({ beyondContract: true });
  service.control.seed({
    assets: [
      { name: 'Hills', type: 'TERRAIN' },
      { name: 'Town', type: '3DTILES' },
    ],
  });
  const { accounts, current } = await running.ask('accounts', {});
  expect(accounts).toEqual([expect.objectContaining({ id: current, signedInBy: 'browser' })]);
  expect(JSON.stringify(accounts)).not.toMatch(/token/i);
  const accountId = current ?? '';
  const listAnswer = await running.ask('assets', { accountId, only: { type: 'TERRAIN', name: 'Hills' } });
  expect(listAnswer).toMatchObject({ assets: [{ name: 'Hills' }], more: 0 });
  const assetId = listAnswer.assets[0]?.id ?? 0;
  expect(await running.ask('asset', { accountId, assetId })).toMatchObject({ name: 'Hills' });
  await expect(running.ask('asset', { accountId: 'other', assetId })).rejects.toMatchObject({
    code: 'not-signed-in',
  });
  const change = { name: 'Mountains' };
  expect(await running.ask('editAsset', { accountId, assetId, change })).toMatchObject(change);
  await expect(running.ask('editAsset', { accountId, assetId, change: { name: ' ' } })).rejects.toMatchObject(
    { code: 'socket-misunderstood' },
  );
  expect(await running.ask('deleteAsset', { accountId, assetId })).toEqual({ assetId });
  expect(service.control.assets().some(({ id }) => id === assetId)).toBe(false);
});
