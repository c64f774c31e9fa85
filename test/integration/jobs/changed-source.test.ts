import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChosenChanges } from '../../../main/inspect/changes/chosen-changes.ts';
import { makeReceipt } from '../../../main/watch/finish/receipt.ts';
import { notInspected } from '../../../main/watch/model/noted-findings.ts';
import { townGrid } from '../../unit/inspect/changes/town-grid.ts';
import { pixelKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';
import { body, type House, hasStatus, historyTexts, isCreation, openHouse, scopes } from './house.ts';

/** Sources with user decisions, sent to the embedded service. */

let house: House;
afterEach(async () => {
  await house.close();
});

const tile = tiffFile({ geoKeys: pixelKeys });
const pam = '<PAMDataset><SRS>EPSG:25832</SRS></PAMDataset>\n';
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

const assignSystem = (root: string, ...names: readonly string[]): ChosenChanges => ({
  leftOut: [],
  assigned: [{ epsg: 25832, files: names.map((name) => join(root, name)) }],
});

const add = (root: string, changes: ChosenChanges) =>
  house.jobs.add({ accountId: 'me', paths: [root], body, acceptForecast: false, changes });

/** Stored keys of an asset with their SHA-256. */
async function storedSums(asset: unknown) {
  const prefix = `sources/${asset}/`;
  const objects = await house.service.control.objects(prefix);
  return Object.fromEntries(objects.map(({ key, sha256: sum }) => [key.slice(prefix.length), sum]));
}

/** Names, bytes and times of everything in a folder. */
async function stateOf(root: string) {
  const names = (await readdir(root, { recursive: true })).sort();
  return Promise.all(
    [root, ...names.map((name) => join(root, name))].map(async (path) => {
      const { mtimeMs, ctimeMs, ino } = await stat(path);
      const isFile = (await stat(path)).isFile();
      return { path, mtimeMs, ctimeMs, ino, sum: isFile ? sha256(await readFile(path)) : null };
    }),
  );
}

it('files with an assigned coordinate system: uploads them with a sidecar that names the system, and leaves their folder unchanged', async () => {
  house = await openHouse();
  const root = await house.source({ 'a.tif': tile, 'in/b.tif': tile, 'notes.txt': 'x' });
  const previousState = await stateOf(root);

  const id = add(root, assignSystem(root, 'a.tif', 'in/b.tif'));
  const job = await house.until(id, hasStatus('complete'));

  expect(await storedSums(job.assetId)).toEqual({
    'a.tif': sha256(tile),
    'a.tif.aux.xml': sha256(pam),
    'in/b.tif': sha256(tile),
    'in/b.tif.aux.xml': sha256(pam),
    'notes.txt': sha256('x'),
  });
  expect(await stateOf(root)).toEqual(previousState);
  const bytes = 2 * tile.length + 2 * pam.length + 1;
  expect(job).toMatchObject({ fileCount: 5, bytesTotal: bytes, bytesDone: bytes, partsDone: 5 });
  expect(house.jobs.files(id)).toMatchObject({ doneCount: 5, unfinishedCount: 0 });
  const md5 = createHash('md5').update(pam).digest('hex');
  const sentSidecars = [...house.jobs.sentFiles(id)].filter(({ key }) => key.endsWith('.aux.xml'));
  expect(sentSidecars).toMatchObject([
    { size: pam.length, etag: md5 },
    { size: pam.length, etag: md5 },
  ]);
  expect(historyTexts(house, id)).toContain(
    '2 files were added to the upload with the coordinate reference system that you assigned',
  );
});

it('files with an assigned coordinate system list that sidecar in the receipt, with its text if the system has no code', async () => {
  house = await openHouse();
  const root = await house.source({ 'a.tif': tile, 'b.tif': tile });
  const systemsByText = [{ wkt: townGrid, files: [join(root, 'b.tif')] }];
  const id = add(root, { ...assignSystem(root, 'a.tif'), worded: systemsByText });
  const job = await house.until(id, hasStatus('complete'));
  const storedNow = await storedSums(job.assetId);
  expect(Object.keys(storedNow)).toEqual(['a.tif', 'a.tif.aux.xml', 'b.tif', 'b.tif.aux.xml']);
  const words = `<PAMDataset><SRS>${townGrid.replace('<1911>_&', '&lt;1911&gt;_&amp;')}</SRS></PAMDataset>\n`;
  expect(storedNow['b.tif.aux.xml']).toBe(sha256(words));

  const rule = { id: 'r', name: 'Rule' };
  const entry = { path: root, takenAt: 1, endedAt: 2 };
  const { files } = await makeReceipt(rule, entry, job, null, house.jobs.sentFiles(id), notInspected);
  const md5 = (text: string | Buffer) => createHash('md5').update(text).digest('hex');
  expect(files.map(({ key, size, etag }) => [key, size, etag]).sort()).toEqual([
    ['a.tif', tile.length, md5(tile)],
    ['a.tif.aux.xml', pam.length, md5(pam)],
    ['b.tif', tile.length, md5(tile)],
    ['b.tif.aux.xml', words.length, md5(words)],
  ]);
});

it('files with an assigned coordinate system: uploads assigned files after any number of failures', async () => {
  house = await openHouse();
  const match = { room: 'storage', method: 'PUT', path: 'aux\\.xml' } as const;
  house.service.control.addFault({ match: { ...match, times: 1 }, action: { kind: 'status', status: 503 } });
  house.service.control.addFault({
    match: { ...match, times: 1 },
    action: { kind: 'corrupt-request', atByte: 3 },
  });
  house.service.control.addFault({
    match: { ...match, times: 1 },
    action: { kind: 'cut-answer', afterBytes: 0 },
  });
  const root = await house.source({ 'a.tif': tile });
  const job = await house.until(add(root, assignSystem(root, 'a.tif')), hasStatus('complete'));
  expect((await storedSums(job.assetId))['a.tif.aux.xml']).toBe(sha256(pam));
  const puts = house.service.control
    .requests()
    .filter(({ method, path }) => method === 'PUT' && path.includes('aux.xml'));
  expect(puts).toHaveLength(4);
});

it('files with an assigned coordinate system keep the system in an asset that is started again', async () => {
  house = await openHouse();
  const root = await house.source({ 'a.tif': tile, 'cut.tif': tile.subarray(0, 9) });
  const changes = { ...assignSystem(root, 'a.tif'), leftOut: [join(root, 'cut.tif')] };
  house.service.control.setTiling({ end: 'DATA_ERROR' });
  const firstJob = await house.until(add(root, changes), hasStatus('data-error'));
  await house.restart();
  await house.jobs.act(firstJob.id, 'start-again');
  const secondJob = house.jobs.list().find(({ id }) => id !== firstJob.id);
  const completeJob = await house.until(secondJob?.id ?? '', hasStatus('data-error'));
  expect(await storedSums(completeJob.assetId)).toEqual({
    'a.tif': sha256(tile),
    'a.tif.aux.xml': sha256(pam),
  });
});

describe('asset of some files of a folder', () => {
  const part = (root: string, ...names: readonly string[]): ChosenChanges => ({
    ...{ leftOut: [], assigned: [] },
    only: names.map((name) => join(root, name)),
  });

  it('asset of some files of a folder: contains only these files, also when started again after a restart', async () => {
    house = await openHouse();
    const root = await house.source({ 'a.tif': tile, 'in/b.tif': tile, 'scan.las': 'x', 'film.mp4': 'x' });
    house.service.control.setTiling({ end: 'DATA_ERROR' });
    const firstJob = await house.until(add(root, part(root, 'a.tif', 'in/b.tif')), hasStatus('data-error'));
    const sentSums = { 'a.tif': sha256(tile), 'in/b.tif': sha256(tile) };
    expect(await storedSums(firstJob.assetId)).toEqual(sentSums);
    expect(firstJob).toMatchObject({ fileCount: 2, paths: [root] });
    await house.restart();
    await house.jobs.act(firstJob.id, 'start-again');
    const secondJob = house.jobs.list().find(({ id }) => id !== firstJob.id);
    const completeJob = await house.until(secondJob?.id ?? '', hasStatus('data-error'));
    expect(await storedSums(completeJob.assetId)).toEqual(sentSums);
  });
});

it('included sidecars: uploads them next to the dropped files, without other neighbours', async () => {
  house = await openHouse();
  const root = await house.source({
    'a.obj': 'mtllib a.mtl\n',
    'a.mtl': 'map_Kd textures/wall.jpg\n',
    'textures/wall.jpg': 'wall',
    'other.obj': 'x',
  });
  const previousState = await stateOf(root);
  const paths = ['a.mtl', 'textures/wall.jpg'].map((name) => join(root, name));
  const changes = { leftOut: [], assigned: [], takenAlong: [{ folder: root, paths }] };
  house.service.control.setTiling({ end: 'DATA_ERROR' });
  const id = add(join(root, 'a.obj'), changes);
  const job = await house.until(id, hasStatus('data-error'));
  const allSums = {
    'a.obj': sha256('mtllib a.mtl\n'),
    'a.mtl': sha256('map_Kd textures/wall.jpg\n'),
    'textures/wall.jpg': sha256('wall'),
  };
  expect(await storedSums(job.assetId)).toEqual(allSums);
  expect(job).toMatchObject({ fileCount: 3, bytesTotal: 42, bytesDone: 42 });
  expect(house.jobs.files(id)).toMatchObject({ doneCount: 3, unfinishedCount: 0 });
  expect(historyTexts(house, id)).toContain('2 files were included from the same folder, as you chose');
  expect(await stateOf(root)).toEqual(previousState);

  // The journal keeps the decisions, so that a job started again after a restart has them too.
  await house.restart();
  await house.jobs.act(id, 'start-again');
  const secondJob = house.jobs.list().find((candidate) => candidate.id !== id);
  const restartedJob = await house.until(secondJob?.id ?? '', hasStatus('data-error'));
  expect(await storedSums(restartedJob.assetId)).toEqual(allSums);
});

it('included sidecars: reads no sidecar through a link that replaced it', async () => {
  house = await openHouse();
  const root = await house.source({ 'a.obj': 'x', 'textures/wall.jpg': 'wall' });
  const otherFolder = await house.source({ 'wall.jpg': 'secret' });
  const changes = {
    leftOut: [],
    assigned: [],
    takenAlong: [{ folder: root, paths: [join(root, 'textures/wall.jpg')] }],
  };
  await rm(join(root, 'textures'), { recursive: true });
  await symlink(otherFolder, join(root, 'textures'));
  const job = await house.until(add(join(root, 'a.obj'), changes), ({ error }) => error !== null);
  expect(job.error).toMatchObject({ code: 'source-changed' });
  expect(house.service.control.requests().some(isCreation)).toBe(false);
});

const lineShape = z.object({ partsDone: z.number().optional(), status: z.string().optional() });
type Line = z.infer<typeof lineShape>;

/** Runs Tilelift in a process until a line matches, then kills it. */
async function runAndKill(settings: object, isMatch: (line: Line) => boolean): Promise<void> {
  const script = join(import.meta.dirname, 'uploader-process.ts');
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('no output to read');
  for await (const text of createInterface({ input: child.stdout }))
    if (isMatch(lineShape.parse(JSON.parse(text)))) break;
  if (child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

it('kill during an upload: loses and duplicates no file that exists only in the upload', async () => {
  house = await openHouse();
  const { service } = house;
  const names = Array.from({ length: 12 }, (_, at) => `${String(at).padStart(2, '0')}.tif`);
  const root = await house.source(Object.fromEntries(names.map((name) => [name, tile])));
  const previousState = await stateOf(root);
  const token = service.control.makeAccessToken(scopes);
  const settings = {
    ...{ baseUrl: service.baseUrl, authUrl: service.authUrl, token, source: root },
    folder: await house.source({ 'kept.txt': '' }),
    changes: assignSystem(root, ...names),
  };
  // The whole source and half of the added bytes arrive.
  service.control.addFault({
    match: { room: 'storage', method: 'PUT', path: 'aux\\.xml', after: 6, times: 1_000 },
    action: { kind: 'stall' },
  });
  await runAndKill(settings, ({ partsDone }) => partsDone === 18);
  service.control.clearFaults();
  // A new plan would differ: only the journal defines the upload.
  await writeFile(join(root, 'later.tif'), tile);
  await runAndKill({ ...settings, changes: undefined }, ({ status }) => status !== undefined);

  const [asset, ...otherAssets] = service.control.assets();
  expect(otherAssets).toEqual([]);
  expect(asset?.status).toBe('COMPLETE');
  expect(await storedSums(asset?.id)).toEqual(
    Object.fromEntries(
      names.flatMap((name) => [
        [name, sha256(tile)],
        [`${name}.aux.xml`, sha256(pam)],
      ]),
    ),
  );
  const arrivedParts = service.control
    .requests()
    .filter(({ method, path, status }) => method === 'PUT' && path.includes('aux.xml') && status === 200);
  expect(arrivedParts).toHaveLength(12);
  expect(
    (await stateOf(root)).filter(({ path }) => path.endsWith('.tif') && !path.includes('later')),
  ).toEqual(previousState.filter(({ path }) => path.endsWith('.tif')));
});
