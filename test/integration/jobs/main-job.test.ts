import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const mebibyte = 1024 * 1024;

async function storedOf(assetId: number | null) {
  const objects = await house.service.control.objects(`sources/${assetId}/`);
  return new Map(objects.map((object) => [object.key.slice(`sources/${assetId}/`.length), object.sha256]));
}

const sha256 = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

describe('main job', () => {
  it('uploads a folder of odd names to COMPLETE, byte for byte', async () => {
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

    const stored = await storedOf(job.assetId);
    expect([...stored.keys()].sort()).toEqual(names.map((name) => name.normalize('NFC')).sort());
    for (const name of names) {
      expect(stored.get(name.normalize('NFC')), name).toBe(await sha256(join(source, name)));
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

  it('uploads a large file in parts that make up the same bytes', async () => {
    const source = await house.source({ 'large.las': 21 * mebibyte + 17, 'small.las': 100 });

    const job = await house.until(house.add(source), hasStatus('complete'));

    expect((await storedOf(job.assetId)).get('large.las')).toBe(await sha256(join(source, 'large.las')));
    expect(job).toMatchObject({ partsTotal: 4, partsDone: 4 });
    expect(house.service.control.openUploads()).toEqual([]);
  });

  it('prepares the upload before scanning the source and before creating the asset', async () => {
    const seen: string[][] = [];
    await house.restart({
      prepareUpload: () =>
        seen.push(
          house
            .journal()
            .events(id)
            .map(({ kind }) => kind),
        ),
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, hasStatus('complete'));

    expect(seen.map((kinds) => [kinds.includes('scanned'), kinds.includes('create-requested')])).toEqual([
      [false, false],
      [true, false],
    ]);
  });

  it('deletes upload credentials after the upload and never writes them to the journal', async () => {
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, hasStatus('uploading'));
    const kept = house.vault.entries.get(`upload-credentials:${id}`) ?? '{}';
    const { location } = JSON.parse(kept);
    await house.until(id, hasStatus('complete'));

    expect(house.vault.entries.size).toBe(0);
    expect(location.secretAccessKey).toEqual(expect.any(String));
    for (const ending of ['', '-wal']) {
      const bytes = await readFile(house.journalPath + ending);
      expect(bytes.includes(location.secretAccessKey)).toBe(false);
      expect(bytes.includes(location.sessionToken)).toBe(false);
    }
  });

  it.each([
    ['DATA_ERROR', 'data-error', 'data-error'],
    ['ERROR', 'error', 'tiling-error'],
  ] as const)('ends with %s in the service’s words', async (end, status, code) => {
    house.service.control.setTiling({ end, error: 'No reference system in plan.gml' });

    const job = await house.until(house.add(await house.source({ 'a.gml': 500 })), hasStatus(status));

    expect(job.error).toMatchObject({ code, remote: { message: 'No reference system in plan.gml' } });
    expect(job.actions).toEqual(['start-again', 'remove']);
  });

  it('shows unknown tiling statuses and keeps polling', async () => {
    await house.close();
    // Each status must last longer than a poll takes on a busy computer.
    house = await openHouse({ tilingMs: 2_000 });
    house.service.control.setTiling({ end: 'COMPLETE', through: ['QUEUED_FOR_MOON', 'IN_PROGRESS'] });

    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, hasStatus('complete'));

    expect(historyTexts(house, id)).toContainEqual(expect.stringMatching(/^Service status: QUEUED_FOR_MOON/));
  });

  it('uploads one job at a time and creates the second asset when the line is free', async () => {
    const first = house.add(await house.source({ 'a.las': 30 * mebibyte }));
    const second = house.add(await house.source({ 'b.las': 100 }));
    await house.until(first, hasStatus('uploading'));

    expect(house.jobs.get(second)).toMatchObject({ status: 'queued', assetId: null });

    await house.until(first, (job) => job.uploadedAt !== null);
    await house.until(second, hasStatus('complete'));
    await house.until(first, hasStatus('complete'));
    expect(house.service.control.assets()).toHaveLength(2);
  });
});
