import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openJournal } from '../../../../main/jobs/journal/journal.ts';
import type { Journal, PlannedFile } from '../../../../main/jobs/journal/journal-model.ts';
import { migrate } from '../../../../main/jobs/journal/journal-version.ts';
import { planFile } from '../../../../main/transfer/plan.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { anyEvents } from '../arbitrary-events.ts';

const mebibyte = 1024 * 1024;
let folder: string;
let path: string;
let journal: Journal;

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'journal.db');
  journal = openJournal(path);
});
afterEach(() => {
  journal.close();
});

const job = (id: string) => ({
  id,
  accountId: 'me',
  paths: ['/data/a', '/data/ümläut'],
  createdAt: 1_700_000_000_000.5,
  acceptForecast: false,
  body: {
    name: 'A',
    type: 'TERRAIN' as const,
    description: '# Words',
    options: { sourceType: 'RASTER_TERRAIN', clampToTerrain: true, textureFormat: 'AUTO', position: [1, 2] },
  },
});
const file = (key: string, size: number): PlannedFile => ({
  path: `/data/${key}`,
  key,
  size,
  mtimeMs: 1_700_000_000_123.456,
  plan: planFile(size),
});
const part = (number: number) => ({ number, size: 8 * mebibyte, etag: `etag-${number}` });

function reopen() {
  journal.close();
  journal = openJournal(path);
}

it('Journal lists jobs oldest first after reopening', () => {
  journal.addJob(job('z'));
  journal.addJob(job('a'));
  reopen();
  expect(journal.jobs()).toEqual([job('z'), job('a')]);
});

it('Journal stores what the user decided about the files of a source', () => {
  const changes = {
    leftOut: ['/data/a/cut.tif'],
    assigned: [{ epsg: 25832, files: ['/data/a/b.tif', '/data/a/c.tif'] }],
  };
  journal.addJob({ ...job('a'), changes });
  reopen();
  expect(journal.changes('a')).toEqual(changes);
  // They may name a million files, so that a list of jobs doesn't read them.
  expect(journal.jobs()).toEqual([job('a')]);
  expect(journal.unfinished()).toEqual([{ record: job('a'), place: 1 }]);
  expect(journal.job('a')?.record).toEqual(job('a'));
  journal.addJob(job('b'));
  expect(journal.changes('b')).toBeUndefined();
});

it('Journal stores which job a job replaces, even after that one is removed', () => {
  journal.addJob(job('first'));
  journal.addJob({ ...job('second'), predecessor: 'first' });
  journal.removeJob('first');
  reopen();
  expect(journal.jobs()).toEqual([{ ...job('second'), predecessor: 'first' }]);
});

it('Journal stores content that exists only in the upload once for all files that share it', () => {
  const content = '<PAMDataset><SRS>EPSG:25832</SRS></PAMDataset>\n';
  journal.addJob(job('a'));
  journal.addFiles('a', [
    { ...file('a.tif.aux.xml', content.length), content },
    { ...file('b.tif.aux.xml', content.length), content },
    file('a.tif', 10),
  ]);
  reopen();
  expect(journal.unfinishedFiles('a').map((unfinishedFile) => unfinishedFile.content)).toEqual([
    content,
    content,
    undefined,
  ]);
  journal.close();
  const database = new DatabaseSync(path);
  const storedContents = () => database.prepare('SELECT md5, content FROM file_contents').all();
  expect(storedContents()).toEqual([{ md5: hash('md5', content), content }]);
  database.exec("UPDATE file_contents SET content = replace(content, '25832', '25833')");
  database.close();
  journal = openJournal(path);
  // Content that the disk changed is never sent.
  expect(() => journal.unfinishedFiles('a')).toThrow(expect.objectContaining({ code: 'journal-unusable' }));
  journal.dropFiles('a');
  expect(journal.unfinishedFiles('a')).toEqual([]);
  journal.close();
  const databaseAfter = new DatabaseSync(path);
  expect(databaseAfter.prepare('SELECT * FROM file_contents').all()).toEqual([]);
  databaseAfter.close();
  journal = openJournal(path);
});

it('Journal returns any events unchanged and in order', () => {
  journal.addJob(job('a'));
  fc.assert(
    fc.property(anyEvents, (events) => {
      const previous = journal.events('a').length;
      for (const event of events) journal.append('a', event);
      expect(journal.events('a').slice(previous)).toEqual(events);
    }),
    { numRuns: 20 },
  );
});

it('Journal stores files with their frozen plan and counts confirmed parts', () => {
  journal.addJob(job('a'));
  journal.addFiles('a', [file('large', 20 * mebibyte), file('small', 10)]);
  const [large, small] = journal.unfinishedFiles('a');
  const [largeId, smallId] = [large?.id ?? 0, small?.id ?? 0];
  journal.uploadBegun(largeId, { uploadId: 'upload-1', checksum: 'whole' });
  journal.confirm([
    { fileId: largeId, part: part(1) },
    { fileId: largeId, part: part(3) },
    { fileId: smallId, part: null },
  ]);
  reopen();

  expect(journal.unfinishedFiles('a')).toEqual([
    {
      ...file('large', 20 * mebibyte),
      id: largeId,
      uploadId: 'upload-1',
      uploadChecksum: 'whole',
      parts: [part(1), part(3)],
      completeSent: false,
    },
  ]);
  expect(journal.totals('a')).toEqual({ bytes: 16 * mebibyte + 10, parts: 3 });

  journal.dropParts(largeId, [3]);
  expect(journal.unfinishedFiles('a')[0]?.parts).toEqual([part(1)]);
  journal.completeSent(largeId);
  reopen();
  expect(journal.unfinishedFiles('a')[0]).toMatchObject({ completeSent: true });
  journal.dropParts(largeId, []);
  expect(journal.unfinishedFiles('a')[0]).toMatchObject({ completeSent: false });
  journal.completeSent(largeId);
  journal.forgetUpload(largeId);
  expect(journal.unfinishedFiles('a')[0]).toMatchObject({ uploadId: null, parts: [], completeSent: false });
  journal.confirm([{ fileId: largeId, part: null }]);
  expect(journal.totals('a')).toEqual({ bytes: 20 * mebibyte + 10, parts: 4 });
});

it('Journal stores the identity of a file to the last digit and accepts a new one', () => {
  const identity = { fileId: '64768:18446744073709551615', ctimeMs: 1_700_000_000_123.456 };
  journal.addJob(job('a'));
  journal.addFiles('a', [{ ...file('known', 1), identity }, file('unknown', 1)]);
  reopen();
  const [knownFile, unknownFile] = journal.unfinishedFiles('a');
  expect(knownFile).toMatchObject({ identity });
  expect(unknownFile).not.toHaveProperty('identity');

  const otherIdentity = { fileId: null, ctimeMs: 1 };
  journal.identityTaken(knownFile?.id ?? 0, otherIdentity);
  expect(journal.unfinishedFiles('a')[0]).toMatchObject({ identity: otherIdentity });
});

it('Journal stores pending aborts until they are done, even after their job is removed', () => {
  journal.addJob(job('a'));
  journal.addFiles('a', [file('one', 20 * mebibyte), file('two', 20 * mebibyte)]);
  const [firstFileId, two] = journal.unfinishedFiles('a').map(({ id }) => id);
  journal.uploadBegun(firstFileId ?? 0, { uploadId: 'first', checksum: 'whole' });
  journal.forgetUpload(firstFileId ?? 0);
  journal.uploadBegun(firstFileId ?? 0, { uploadId: 'second', checksum: 'whole' });
  journal.uploadBegun(two ?? 0, { uploadId: 'third', checksum: 'whole' });
  expect(journal.pendingAborts('a')).toEqual([{ jobId: 'a', key: 'one', uploadId: 'first' }]);

  journal.addPendingAborts('a');
  journal.addPendingAborts('a');
  journal.removeJob('a');
  while (journal.clearRemoved());
  reopen();

  const ids = () => journal.pendingAborts().map(({ uploadId }) => uploadId);
  expect(ids()).toEqual(['first', 'second', 'third']);
  journal.abortDone({ jobId: 'a', key: 'one', uploadId: 'second' });
  expect(ids()).toEqual(['first', 'third']);
  journal.dropPendingAborts('a');
  expect(ids()).toEqual([]);
});

it('Journal stores which parts storage has compared', () => {
  journal.addJob(job('a'));
  journal.addFiles('a', [file('large', 20 * mebibyte), file('old', 20 * mebibyte)]);
  const [large = 0, oldFile = 0] = journal.unfinishedFiles('a').map(({ id }) => id);
  journal.uploadBegun(large, { uploadId: 'one', checksum: 'whole' });
  journal.uploadBegun(oldFile, { uploadId: 'two', checksum: null });
  journal.confirm([
    { fileId: large, part: { ...part(1), crc32: 0xffffffff } },
    { fileId: large, part: part(2) },
  ]);
  reopen();
  expect(journal.unfinishedFiles('a')).toMatchObject([
    { uploadChecksum: 'whole', parts: [{ ...part(1), crc32: 0xffffffff }, part(2)] },
    { uploadChecksum: null },
  ]);
  expect(journal.unfinishedFiles('a')[0]?.parts[1]).not.toHaveProperty('crc32');

  journal.confirm([
    { fileId: large, part: null, etag: 'e', comparedBy: 'crc32' },
    { fileId: oldFile, part: null },
  ]);
  expect(journal.sentFiles('a')).toMatchObject([{ comparedBy: 'crc32' }, { comparedBy: null }]);
  journal.forgetUpload(large);
  expect(journal.pendingAborts('a')).toMatchObject([{ uploadId: 'one' }]);
});

it('Journal counts a part once however often it is confirmed', () => {
  journal.addJob(job('a'));
  journal.addFiles('a', [file('large', 20 * mebibyte)]);
  const id = journal.unfinishedFiles('a')[0]?.id ?? 0;
  journal.confirm([
    { fileId: id, part: part(1) },
    { fileId: id, part: part(1) },
  ]);
  expect(journal.totals('a')).toEqual({ bytes: 8 * mebibyte, parts: 1 });
});

it('Journal counts nothing for a job that was never scanned', () => {
  journal.addJob(job('a'));
  expect(journal.totals('a')).toEqual({ bytes: 0, parts: 0 });
});

it('Journal drops files page by page, of one job alone', () => {
  for (const id of ['a', 'b']) {
    journal.addJob(job(id));
    journal.addFiles(
      id,
      Array.from({ length: 1200 }, (_, index) => file(`${index}`, 1)),
    );
  }
  expect(journal.dropFiles('a')).toBe(true);
  expect(journal.dropFiles('a')).toBe(true);
  expect(journal.dropFiles('a')).toBe(false);
  expect(journal.unfinishedFiles('a')).toEqual([]);
  expect(journal.unfinishedFiles('b')).toHaveLength(500);
});

it('Journal removes a job with everything that belongs to it', () => {
  journal.addJob(job('a'));
  journal.addFiles('a', [file('large', 20 * mebibyte)]);
  journal.confirm([{ fileId: journal.unfinishedFiles('a')[0]?.id ?? 0, part: part(1) }]);
  journal.removeJob('a');
  expect(journal.jobs()).toEqual([]);
  while (journal.clearRemoved());
  journal.close();

  const database = new DatabaseSync(path);
  for (const table of ['jobs', 'events', 'plans', 'folders', 'files', 'parts']) {
    expect(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toMatchObject({ n: 0 });
  }
  database.close();
  journal = openJournal(path);
});

it('Journal.addSpeed() keeps the last five of each kind, so that many small files displace no large ones', () => {
  journal.addSpeed('me', { bytes: 9e9, files: 0, ms: 1 });
  for (let files = 1; files <= 7; files++) journal.addSpeed('me', { bytes: files, files, ms: 1 });
  journal.addSpeed('other', { bytes: 1, files: 0, ms: 1 });
  reopen();
  expect(journal.speeds('me').map(({ bytes, files }) => [bytes, files])).toEqual([
    [9e9, 0],
    ...[3, 4, 5, 6, 7].map((files) => [files, files]),
  ]);
});

it('Journal with an exact source stores it with or without a fingerprint', () => {
  const exactSource = { keysFrom: '/data', gitignore: ['*.bak', '/raw/'], fingerprint: 'abc' };
  journal.addJob({ ...job('a'), exactly: exactSource });
  journal.addJob({ ...job('b'), exactly: { ...exactSource, fingerprint: null } });
  journal.addJob(job('c'));
  reopen();
  expect(journal.jobs()).toEqual([
    { ...job('a'), exactly: exactSource },
    { ...job('b'), exactly: { ...exactSource, fingerprint: null } },
    job('c'),
  ]);
});

it('Journal.fileProgress() lists files in sending order with their progress, and the files sent last', () => {
  journal.addJob(job('a'));
  journal.addJob(job('b'));
  journal.addFiles('a', [file('one', 5), file('half', 20 * mebibyte), file('two', 5), file('later', 7)]);
  journal.addFiles('b', [file('other', 5)]);
  const [firstFile, half, two] = journal.unfinishedFiles('a');
  journal.confirm([
    { fileId: firstFile?.id ?? 0, part: null },
    { fileId: half?.id ?? 0, part: part(1) },
    { fileId: two?.id ?? 0, part: null },
  ]);
  expect(journal.fileProgress('a', 10)).toEqual({
    unfinished: [
      { key: 'half', size: 20 * mebibyte, bytesDone: part(1).size },
      { key: 'later', size: 7, bytesDone: 0 },
    ],
    done: [
      { key: 'two', size: 5, bytesDone: 5 },
      { key: 'one', size: 5, bytesDone: 5 },
    ],
    unfinishedCount: 2,
    doneCount: 2,
  });
  expect(journal.fileProgress('a', 1)).toMatchObject({
    unfinished: [{ key: 'half' }],
    done: [{ key: 'two' }],
    unfinishedCount: 2,
    doneCount: 2,
  });
});

it('Journal.sentFiles(): returns the ETags of complete files', () => {
  journal.addJob(job('a'));
  journal.addFiles('a', [file('whole', 5), file('half', 20 * mebibyte), file('unnamed', 5)]);
  const [wholeFile, half, unnamedFile] = journal.unfinishedFiles('a');
  journal.confirm([
    { fileId: wholeFile?.id ?? 0, part: null, etag: 'abc' },
    { fileId: half?.id ?? 0, part: part(1) },
    { fileId: unnamedFile?.id ?? 0, part: null },
  ]);
  reopen();
  const partSize = 8 * mebibyte;
  expect(journal.sentFiles('a')).toMatchObject([
    { key: 'whole', size: 5, etag: 'abc', partSize },
    { key: 'half', size: 20 * mebibyte, etag: null, partSize },
    { key: 'unnamed', size: 5, etag: null, partSize },
  ]);
});

it('openJournal() refuses a file that is no database', () => {
  const otherFile = join(folder, 'other.db');
  writeFileSync(otherFile, 'this is not a database, but it is long enough to be looked at'.repeat(100));
  expect(() => openJournal(otherFile)).toThrow(expect.objectContaining({ code: 'journal-unusable' }));
});

it('openJournal() migrates a journal once and keeps its content', () => {
  journal.addJob(job('a'));
  const database = new DatabaseSync(path);
  const version = () => Number(database.prepare('PRAGMA user_version').get()?.user_version);
  const firstVersion = version();
  const releases = ['ALTER TABLE jobs ADD COLUMN later TEXT', 'CREATE TABLE latest (id TEXT) STRICT'];
  migrate(database, releases.slice(0, 1));
  migrate(database, releases);
  migrate(database, releases);
  expect(version()).toBe(firstVersion + 2);
  expect(database.prepare('SELECT id, later FROM jobs').all()).toMatchObject([{ id: 'a', later: null }]);
  expect(database.prepare('SELECT count(*) AS rows FROM latest').get()).toMatchObject({ rows: 0 });
  database.close();
});

it('openJournal() leaves the journal unchanged when a migration fails', () => {
  const database = new DatabaseSync(path);
  const version = () => database.prepare('PRAGMA user_version').get();
  const firstVersion = version();
  expect(() => migrate(database, ['CREATE TABLE latest (id TEXT)', 'no SQL'])).toThrow('syntax');
  if (database.isTransaction) database.exec('ROLLBACK');
  expect(version()).toEqual(firstVersion);
  expect(database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'latest'").all()).toEqual([]);
  database.close();
});
