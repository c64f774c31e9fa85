import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

async function storedOf(assetId: number | null) {
  const objects = await house.service.control.objects(`sources/${assetId}/`);
  return new Map(objects.map((object) => [object.key.slice(`sources/${assetId}/`.length), object.sha256]));
}

const sha256 = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

it('the main job uploads a folder of odd names to COMPLETE, byte for byte', async () => {
  const names = [
    'plain.gml',
    'with space & plus+sign%20.gml',
    "quotes ' and (brackets)!*.gml",
    'ümläut-Straße.gml',
    'deep/er/北京.gml',
    'emoji 🏛️.txt',
    'a=b;c,d@e#f?.txt',
    'empty.txt',
    'trailing dot.',
  ];
  const source = await house.source({
    ...Object.fromEntries(names.map((name, index) => [name, 1000 + index])),
    'empty.txt': '',
    '.DS_Store': 'x',
  });

  const id = house.add(source);
  const job = await house.until(id, hasStatus('complete'));

  const storedSums = await storedOf(job.assetId);
  expect([...storedSums.keys()].sort()).toEqual(names.map((name) => name.normalize('NFC')).sort());
  for (const name of names) {
    expect(storedSums.get(name.normalize('NFC')), name).toBe(await sha256(join(source, name)));
  }
  expect(job).toMatchObject({ fileCount: 9, bytesDone: job.bytesTotal, percentComplete: 100, error: null });
  expect(historyTexts(house, id)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Asset \d+ created$/),
      'Tiling started',
      expect.stringMatching(/^Complete, tiled in /),
    ]),
  );
});

it('the main job prepares the upload before scanning the source and before creating the asset', async () => {
  const eventKinds: string[][] = [];
  await house.restart({
    prepareUpload: () =>
      eventKinds.push(
        house
          .journal()
          .events(id)
          .map(({ kind }) => kind),
      ),
  });
  const id = house.add(await house.source({ 'a.gml': 500 }));
  await house.until(id, hasStatus('complete'));

  expect(eventKinds.map((kinds) => [kinds.includes('scanned'), kinds.includes('create-requested')])).toEqual([
    [false, false],
    [true, false],
  ]);
});

it('the main job deletes upload credentials after the upload and never writes them to the journal', async () => {
  const id = house.add(await house.source({ 'a.gml': 500 }));
  await house.until(id, hasStatus('uploading'));
  const storedCredentials = house.vault.entries.get(`upload-credentials:${id}`) ?? '{}';
  const { location } = JSON.parse(storedCredentials);
  await house.until(id, hasStatus('complete'));

  expect(house.vault.entries.size).toBe(0);
  expect(location.secretAccessKey).toEqual(expect.any(String));
  for (const suffix of ['', '-wal']) {
    const bytes = await readFile(house.journalPath + suffix);
    expect(bytes.includes(location.secretAccessKey)).toBe(false);
    expect(bytes.includes(location.sessionToken)).toBe(false);
  }
});
