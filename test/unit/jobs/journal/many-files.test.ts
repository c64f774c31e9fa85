import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import { nameIn } from '../../../../main/jobs/journal/folder-rows.ts';
import { createJournal } from '../../../../main/jobs/journal/journal.ts';
import type { Journal, PlannedFile } from '../../../../main/jobs/journal/journal-model.ts';
import { migrate, migrations } from '../../../../main/jobs/journal/journal-schema.ts';
import { planFile } from '../../../../main/transfer/plan.ts';

const mebibyte = 1024 * 1024;
const page = 500;
let folder: string;
let path: string;
let database: DatabaseSync;
let journal: Journal;

function open() {
  database = openDatabase(path);
  database.exec('PRAGMA synchronous = OFF');
  journal = createJournal(database, path);
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tilelift-many-'));
  path = join(folder, 'journal.db');
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const record = (id: string) => ({
  id,
  accountId: 'me',
  paths: ['/data'],
  createdAt: 1,
  acceptForecast: false,
  body: { name: 'A', type: 'TERRAIN' as const, options: { sourceType: 'RASTER_TERRAIN' } },
});
const planned = (key: string, size: number, more: Partial<PlannedFile> = {}): PlannedFile => ({
  path: `/srv/data/projects/survey-2026/${key}`,
  key,
  size,
  mtimeMs: 1_700_000_000_123.456,
  plan: planFile(size),
  ...more,
});
const imageOf = (index: number) =>
  planned(`flight-${Math.floor(index / 1000)}/IMG_${index}.jpg`, 40_000 + (index % 9_000), {
    identity: { fileId: `64768:${1_234_567 + index}`, ctimeMs: 1_700_000_100_000.456 },
  });
const md5Of = (id: number) => id.toString(16).padStart(32, 'a');

function add(job: string, files: readonly PlannedFile[]) {
  for (let at = 0; at < files.length; at += page) journal.addFiles(job, files.slice(at, at + page));
}

/** Everything that is to be sent, page by page as a transfer asks for it. */
function* pagesToSend(job: string) {
  for (let some = journal.filesToSend(job); some.length > 0; some = journal.filesToSend(job, some.at(-1)))
    yield some;
}

describe('a plan of many files', () => {
  it('takes at most 120 bytes a file besides its name, sent or not', () => {
    open();
    const files = Array.from({ length: 20_000 }, (_, index) => imageOf(index));
    journal.addJob(record('a'));
    const bytes = () => {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return statSync(path).size;
    };
    const empty = bytes();
    add('a', files);
    const names = files.reduce((sum, { key }) => sum + key.length - key.lastIndexOf('/') - 1, 0);
    const each = () => (bytes() - empty - names) / files.length;
    const whenPlanned = each();
    for (const some of pagesToSend('a'))
      journal.confirm(
        some.map(({ id }) => ({ fileId: id, part: null, etag: md5Of(id), comparedBy: 'crc32' })),
      );
    expect(journal.fileProgress('a', 1)).toMatchObject({ unfinishedCount: 0, doneCount: files.length });
    expect(Math.max(whenPlanned, each())).toBeLessThan(120);
    console.info(`bytes a file besides its name: ${whenPlanned.toFixed(1)}, sent ${each().toFixed(1)}`);
  });

  it('is read in the order of sending, a page at a time: large files by size, then small ones as found', () => {
    open();
    for (const id of ['before', 'a', 'behind']) journal.addJob(record(id));
    add('before', [planned('other', 1)]);
    const sizes = Array.from({ length: 1_300 }, (_, index) => (index % 2 ? 10 : (index % 7) * 3 * mebibyte));
    add(
      'a',
      sizes.map((size, index) => planned(`${index}`, size)),
    );
    add('behind', [planned('another', 9 * mebibyte)]);
    const pages = [...pagesToSend('a')];
    expect(pages.every((some) => some.length <= page)).toBe(true);
    const sent = pages.flat().map(({ key, size }) => ({ key: Number(key), size }));
    const found = sizes.map((size, key) => ({ key, size }));
    expect(sent).toEqual([
      ...found.filter(({ size }) => size > mebibyte).sort((a, b) => b.size - a.size || a.key - b.key),
      ...found.filter(({ size }) => size <= mebibyte),
    ]);
  });

  it('goes on behind the page before while some of it is confirmed and some is not', () => {
    open();
    journal.addJob(record('a'));
    const files = Array.from({ length: 1_100 }, (_, index) => planned(`${index}`, 5 * mebibyte));
    add('a', [...files, ...Array.from({ length: 1_100 }, (_, index) => planned(`small-${index}`, 5))]);
    const seen: string[] = [];
    for (const some of pagesToSend('a')) {
      seen.push(...some.map(({ key }) => key));
      journal.confirm(some.filter((_, index) => index % 3 > 0).map(({ id }) => ({ fileId: id, part: null })));
    }
    expect(new Set(seen).size).toBe(2_200);
    expect(seen).toHaveLength(2_200);
    const again = [...pagesToSend('a')].flat().length;
    expect(again).toBe(journal.fileProgress('a', 1).unfinishedCount);
    expect(journal.totals('a').parts).toBe(2_200 - again);
  });

  it('gives back paths, keys and identities as they were, in whatever folders', () => {
    open();
    journal.addJob(record('a'));
    const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a\u0308.tif', 'ä.tif', 'x\\y', ' '));
    const file = fc.record({
      path: fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`),
      key: fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/').normalize('NFC')),
      fileId: fc.option(
        fc.oneof(
          fc.tuple(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })).map((parts) => parts.join(':')),
          fc.constantFrom('', ':', '1:', ':2', '1:02', '1:2:3', '1:1e3', 'text'),
        ),
      ),
    });
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 20 }), (files) => {
        while (journal.dropFiles('a'));
        add(
          'a',
          files.map(({ fileId, ...one }) => ({
            ...planned('', 1),
            ...one,
            identity: { fileId, ctimeMs: 2.5 },
          })),
        );
        const kept = journal.unfinishedFiles('a').map((one) => ({
          path: one.path,
          key: one.key,
          fileId: one.identity?.fileId ?? null,
        }));
        expect(kept).toEqual(files);
      }),
      { numRuns: 60 },
    );
  });

  it('has a folder’s path once, in whatever order its files come', () => {
    open();
    journal.addJob(record('a'));
    add(
      'a',
      Array.from({ length: 3_000 }, (_, index) => planned(`folder-${index % 7}/${index}`, 1)),
    );
    expect(database.prepare('SELECT count(*) AS rows FROM folders').get()).toEqual({ rows: 7 });
    expect(nameIn(planned('a/b.tif', 1)).folder).toEqual({
      path: '/srv/data/projects/survey-2026/a/',
      keyPrefix: 'a/',
      device: null,
    });
  });

  it('takes a page whole or not at all, its folders too', () => {
    open();
    journal.addJob(record('a'));
    const broken = { ...planned('b', 1), size: 1.5 };
    expect(() => journal.addFiles('a', [planned('a', 1), broken])).toThrow(
      expect.objectContaining({ code: 'journal-unusable' }),
    );
    expect(journal.fileProgress('a', 9)).toMatchObject({ unfinishedCount: 0, unfinished: [] });
    // What the failed page knew of folders is forgotten with it.
    add('a', [planned('a', 1)]);
    expect(journal.unfinishedFiles('a').map(({ key }) => key)).toEqual(['a']);
  });
});

describe('a file whose folder is not there', () => {
  it('is never passed over: the journal can’t be read', () => {
    open();
    journal.addJob(record('a'));
    add('a', [planned('a/1', 1), planned('b/2', 1), planned('b/large', 9 * mebibyte)]);
    database.exec("DELETE FROM folders WHERE key_prefix = 'b/'");
    const unusable = expect.objectContaining({ code: 'journal-unusable' });
    expect(() => [...pagesToSend('a')]).toThrow(unusable);
    expect(() => journal.unfinishedFiles('a')).toThrow(unusable);
    expect(() => journal.sentFiles('a')).toThrow(unusable);
  });
});

describe('a journal of before', () => {
  const before = migrations.findIndex((step) => step.includes('CREATE TABLE folders'));

  it('is taken over looking at each file once, not once for every folder', () => {
    const old = new DatabaseSync(path);
    migrate(old, migrations.slice(0, before));
    old.exec(`
      INSERT INTO jobs (id, account_id, paths, body, created_at) VALUES ('a', 'me', '[]', '{}', 5);
      INSERT INTO files (job_id, path, key, size, mtime_ms, part_size, part_count)
        SELECT 'a', '/data/f' || (value % 300) || '/' || value, 'f' || (value % 300) || '/' || value, 1, 1.5, 1, 1
        FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 3000) SELECT value FROM n)`);
    // What cuts a path at its folder, in SQLite itself: it is asked whenever a file is held against a folder.
    let cuts = 0;
    old.function('rtrim', { deterministic: true }, (text, characters) => {
      cuts += 1;
      let end = `${text}`.length;
      while (end > 0 && `${characters}`.includes(`${text}`.charAt(end - 1))) end -= 1;
      return `${text}`.slice(0, end);
    });
    migrate(old);
    old.close();
    open();
    expect(journal.fileProgress('a', 0).unfinishedCount).toBe(3_000);
    expect(database.prepare('SELECT count(*) AS rows FROM folders').get()).toEqual({ rows: 300 });
    expect(cuts).toBeGreaterThanOrEqual(3_000);
    expect(cuts).toBeLessThan(10 * 3_000);
    console.info(`cuts for 3,000 files: ${cuts}`);
  });

  it('keeps every file and part of a job in its middle', () => {
    const old = new DatabaseSync(path);
    migrate(old, migrations.slice(0, before));
    const files = Array.from({ length: 2_500 }, (_, index) => ({
      job: index % 5 === 0 ? 'b' : 'a',
      path: index % 3 ? `/data/f${index % 4}/${index}.jpg` : `C:\\data\\f${index % 4}\\${index}.jpg`,
      key: index % 11 ? `f${index % 4}/${index}.jpg` : `other-${index}.jpg`,
      size: index % 50 ? index : 20 * mebibyte,
      done: index % 2,
      etag: index % 2 ? (index % 6 === 1 ? `"${index}"` : md5Of(index)) : null,
      compared: [null, 'crc32', 'md5'][index % 3] ?? null,
      fileId: index % 9 ? `66:${index}` : null,
      uploadId: index % 100 === 0 ? `upload-${index}` : null,
    }));
    old.exec(`
      INSERT INTO jobs (id, account_id, paths, body, created_at) SELECT value, 'me', '["/data"]', '{"name":"A","type":"TERRAIN","options":{"sourceType":"RASTER_TERRAIN"}}', 5
        FROM json_each('["a","b","empty"]');
      INSERT INTO file_contents VALUES ('a', '900150983cd24fb0d6963f7d28e17f72', 'abc')`);
    const insert = old.prepare(
      `INSERT INTO files (job_id, path, key, size, mtime_ms, part_size, part_count, done, etag, compared_by, file_id, ctime_ms, upload_id)
       VALUES (?, ?, ?, ?, 1.5, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    old.exec('BEGIN');
    for (const one of files) {
      const { partSize, partCount } = planFile(one.size);
      const values = [one.job, one.path, one.key, one.size, partSize, partCount, one.done, one.etag];
      insert.run(...values, one.compared, one.fileId, one.fileId && 7.25, one.uploadId);
    }
    old.exec(`
      UPDATE files SET content_md5 = '900150983cd24fb0d6963f7d28e17f72' WHERE id = 2;
      UPDATE files SET complete_sent = 1 WHERE id = 101;
      INSERT INTO parts SELECT id, 1, 8388608, 'part-' || id, 77 FROM files WHERE part_count > 1;
      COMMIT`);
    old.close();
    open();

    for (const job of ['a', 'b', 'empty']) {
      const expected = files
        .map((one, index) => ({ ...one, id: index + 1 }))
        .filter((one) => one.job === job);
      const sent = [];
      for (let some = journal.sentFiles(job); some.length > 0; some = journal.sentFiles(job, some.at(-1)?.id))
        sent.push(...some);
      expect(sent.map(({ key, size, etag, comparedBy }) => ({ key, size, etag, comparedBy }))).toEqual(
        expected.map(({ key, size, etag, compared, done }) => ({
          ...{ key, size, etag },
          comparedBy: done ? compared : null,
        })),
      );
      const unfinished = [];
      for (let some = journal.unfinishedFiles(job); some.length > 0; ) {
        unfinished.push(...some);
        some = journal.unfinishedFiles(job, some.at(-1)?.id);
      }
      expect(
        unfinished.map(({ path, key, uploadId, identity, parts, completeSent }) => ({
          ...{ path, key, uploadId, fileId: identity?.fileId ?? null },
          ...{ parts, completeSent },
        })),
      ).toEqual(
        expected
          .filter(({ done }) => !done)
          .map(({ id, path, key, size, uploadId, fileId }) => ({
            ...{ path, key, uploadId, fileId },
            parts: size > 8 * mebibyte ? [{ number: 1, size: 8_388_608, etag: `part-${id}`, crc32: 77 }] : [],
            completeSent: id === 101,
          })),
      );
      const done = expected.filter((one) => one.done);
      const halfSent = expected.filter((one) => !one.done && one.size > 8 * mebibyte).length;
      expect(journal.totals(job)).toEqual({
        bytes: done.reduce((sum, { size }) => sum + size, 0) + halfSent * 8 * mebibyte,
        parts: done.reduce((sum, { size }) => sum + planFile(size).partCount, 0) + halfSent,
      });
      expect(journal.fileProgress(job, 1)).toMatchObject({
        doneCount: done.length,
        unfinishedCount: expected.length - done.length,
      });
      expect(journal.openUploads(job)).toHaveLength(
        expected.filter((one) => !one.done && one.uploadId).length,
      );
    }
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%before%'").all()).toEqual([]);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  });
});
