import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import { nameIn } from '../../../../main/jobs/journal/folder-rows.ts';
import { createJournal } from '../../../../main/jobs/journal/journal.ts';
import type { Journal, PlannedFile } from '../../../../main/jobs/journal/journal-model.ts';
import { planFile } from '../../../../main/transfer/plan.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { jobRecord } from '../job-record.ts';

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
  folder = temporaryFolder();
  path = join(folder, 'journal.db');
});
afterEach(() => {
  journal.close();
});

const plannedFile = (key: string, size: number, fields: Partial<PlannedFile> = {}): PlannedFile => ({
  path: `/srv/data/projects/survey-2026/${key}`,
  key,
  size,
  mtimeMs: 1_700_000_000_123.456,
  plan: planFile(size),
  ...fields,
});
const imageOf = (index: number) =>
  plannedFile(`flight-${Math.floor(index / 1000)}/IMG_${index}.jpg`, 40_000 + (index % 9_000), {
    identity: { fileId: `64768:${1_234_567 + index}`, ctimeMs: 1_700_000_100_000.456 },
  });
const md5Of = (id: number) => id.toString(16).padStart(32, 'a');

function add(job: string, files: readonly PlannedFile[]) {
  for (let at = 0; at < files.length; at += page) journal.addFiles(job, files.slice(at, at + page));
}

function* pagesToSend(job: string) {
  for (
    let somePage = journal.filesToSend(job);
    somePage.length > 0;
    somePage = journal.filesToSend(job, somePage.at(-1))
  )
    yield somePage;
}

it('Journal with a plan of many files stores a file in at most 120 bytes besides its name, sent or not', () => {
  open();
  const files = Array.from({ length: 20_000 }, (_, index) => imageOf(index));
  journal.addJob(jobRecord('a'));
  const bytes = () => {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return statSync(path).size;
  };
  const empty = bytes();
  add('a', files);
  const names = files.reduce((sum, { key }) => sum + key.length - key.lastIndexOf('/') - 1, 0);
  const bytesPerFile = () => (bytes() - empty - names) / files.length;
  const whenPlanned = bytesPerFile();
  for (const filesOfPage of pagesToSend('a'))
    journal.confirm(
      filesOfPage.map(({ id }) => ({ fileId: id, part: null, etag: md5Of(id), comparedBy: 'crc32' })),
    );
  expect(journal.fileProgress('a', 1)).toMatchObject({ unfinishedCount: 0, doneCount: files.length });
  expect(Math.max(whenPlanned, bytesPerFile())).toBeLessThan(120);
  console.info(`bytes a file besides its name: ${whenPlanned.toFixed(1)}, sent ${bytesPerFile().toFixed(1)}`);
});

it('Journal with a plan of many files returns files in sending order: large ones by size, then small ones as found', () => {
  open();
  for (const id of ['before', 'a', 'behind']) journal.addJob(jobRecord(id));
  add('before', [plannedFile('other', 1)]);
  const sizes = Array.from({ length: 1_300 }, (_, index) => (index % 2 ? 10 : (index % 7) * 3 * mebibyte));
  add(
    'a',
    sizes.map((size, index) => plannedFile(`${index}`, size)),
  );
  add('behind', [plannedFile('another', 9 * mebibyte)]);
  const pages = [...pagesToSend('a')];
  expect(pages.every((filesOfPage) => filesOfPage.length <= page)).toBe(true);
  const sentFiles = pages.flat().map(({ key, size }) => ({ key: Number(key), size }));
  const result = sizes.map((size, key) => ({ key, size }));
  expect(sentFiles).toEqual([
    ...result.filter(({ size }) => size > mebibyte).sort((a, b) => b.size - a.size || a.key - b.key),
    ...result.filter(({ size }) => size <= mebibyte),
  ]);
});

it('Journal with a plan of many files continues after the previous page while files are being confirmed', () => {
  open();
  journal.addJob(jobRecord('a'));
  const files = Array.from({ length: 1_100 }, (_, index) => plannedFile(`${index}`, 5 * mebibyte));
  add('a', [...files, ...Array.from({ length: 1_100 }, (_, index) => plannedFile(`small-${index}`, 5))]);
  const seenKeys: string[] = [];
  for (const filesOfPage of pagesToSend('a')) {
    seenKeys.push(...filesOfPage.map(({ key }) => key));
    journal.confirm(
      filesOfPage.filter((_, index) => index % 3 > 0).map(({ id }) => ({ fileId: id, part: null })),
    );
  }
  expect(new Set(seenKeys).size).toBe(2_200);
  expect(seenKeys).toHaveLength(2_200);
  const secondCount = [...pagesToSend('a')].flat().length;
  expect(secondCount).toBe(journal.fileProgress('a', 1).unfinishedCount);
  expect(journal.totals('a').parts).toBe(2_200 - secondCount);
});

it('Journal with a plan of many files returns paths, keys and identities unchanged, in any folders', () => {
  open();
  journal.addJob(jobRecord('a'));
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
        files.map(({ fileId, ...file }) => ({
          ...plannedFile('', 1),
          ...file,
          identity: { fileId, ctimeMs: 2.5 },
        })),
      );
      const keptFiles = journal
        .unfinishedFiles('a')
        .map((unfinishedFile) => ({
          path: unfinishedFile.path,
          key: unfinishedFile.key,
          fileId: unfinishedFile.identity?.fileId ?? null,
        }));
      expect(keptFiles).toEqual(files);
    }),
    { numRuns: 60 },
  );
});

it('Journal with a plan of many files stores the path of a folder once, in whatever order its files come', () => {
  open();
  journal.addJob(jobRecord('a'));
  add(
    'a',
    Array.from({ length: 3_000 }, (_, index) => plannedFile(`folder-${index % 7}/${index}`, 1)),
  );
  expect(database.prepare('SELECT count(*) AS rows FROM folders').get()).toEqual({ rows: 7 });
  expect(nameIn(plannedFile('a/b.tif', 1)).folder).toEqual({
    path: '/srv/data/projects/survey-2026/a/',
    keyPrefix: 'a/',
    device: null,
  });
});

it('Journal with a plan of many files adds a page with its folders completely or not at all', () => {
  open();
  journal.addJob(jobRecord('a'));
  const brokenFile = { ...plannedFile('b', 1), size: 1.5 };
  expect(() => journal.addFiles('a', [plannedFile('a', 1), brokenFile])).toThrow(
    expect.objectContaining({ code: 'journal-unusable' }),
  );
  expect(journal.fileProgress('a', 9)).toMatchObject({ unfinishedCount: 0, unfinished: [] });
  // Folders of the failed page are forgotten as well.
  add('a', [plannedFile('a', 1)]);
  expect(journal.unfinishedFiles('a').map(({ key }) => key)).toEqual(['a']);
});

it('a file whose folder row is missing makes the journal unreadable instead of being skipped', () => {
  open();
  journal.addJob(jobRecord('a'));
  add('a', [plannedFile('a/1', 1), plannedFile('b/2', 1), plannedFile('b/large', 9 * mebibyte)]);
  database.exec("DELETE FROM folders WHERE key_prefix = 'b/'");
  const unusable = expect.objectContaining({ code: 'journal-unusable' });
  expect(() => [...pagesToSend('a')]).toThrow(unusable);
  expect(() => journal.unfinishedFiles('a')).toThrow(unusable);
  expect(() => journal.sentFiles('a')).toThrow(unusable);
});
