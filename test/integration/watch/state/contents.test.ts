import { createHash } from 'node:crypto';
import { truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import { createChecksumThread } from '../../../../main/transfer/checksum-thread.ts';
import { contentOfSent } from '../../../../main/watch/scan/content.ts';
import { scanSourceAt } from '../../../../main/watch/scan/scan-rule.ts';
import { Contents } from '../../../../main/watch/state/contents.ts';
import { createLedger } from '../../../../main/watch/state/ledger/ledger.ts';
import { createWatchedFolder, type WatchedFolder } from '../watched-folder.ts';

const mebibyte = 1024 * 1024;
const noEnd = new AbortController().signal;
let folder: WatchedFolder;
beforeEach(async () => {
  folder = await createWatchedFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest();
async function theSource(path: string) {
  const found = await scanSourceAt(folder.rule(), path);
  if (!found) throw new Error(`no source: ${path}`);
  return found;
}
function open() {
  const thread = createChecksumThread();
  const database = openDatabase(':memory:');
  onTestFinished(() => {
    thread.close();
    database.close();
  });
  const ask = vi.fn(thread.ask);
  const ledger = createLedger(database, 'journal.db');
  const jobs = { get: () => undefined, sentFiles: () => [] };
  const reported = vi.fn();
  const contents = new Contents({ ledger, jobs, thread: { ...thread, ask }, onProgress: reported });
  return { ask, reported, contents };
}

it('computes the checksum that storage gives the same bytes, in one part and in several', async () => {
  const large = Buffer.alloc(9 * mebibyte, 'tile');
  await folder.write('Kai/large.jpg', large);
  await folder.write('Kai/empty.jpg', '');
  const parts = [large.subarray(0, 8 * mebibyte), large.subarray(8 * mebibyte)].map(md5);
  const sent = [
    { key: 'large.jpg', size: large.length, etag: `${md5(Buffer.concat(parts)).toString('hex')}-2` },
    { key: 'empty.jpg', size: 0, etag: md5(Buffer.alloc(0)).toString('hex') },
  ];
  const content = await open().contents.ofSource('rule', await theSource('Kai'), noEnd);
  expect(content).toBe(
    await contentOfSent(
      'Kai',
      sent.map((file) => ({ ...file, partSize: 8 * mebibyte })),
    ),
  );
});

it('reads the content once while its files are unchanged', async () => {
  const { ask, contents } = open();
  await folder.write('Kai/a.jpg', 'one');
  const read = async () => contents.ofSource('rule', await theSource('Kai'), noEnd);
  const before = await read();
  expect(await read()).toBe(before);
  expect(ask).toHaveBeenCalledTimes(1);
  const path = join(folder.path, 'Kai/a.jpg');
  const { mtimeMs } = (await theSource('Kai')).files[0] ?? { mtimeMs: 0 };
  await writeFile(path, 'two');
  await utimes(path, mtimeMs / 1000, mtimeMs / 1000);
  expect(await read()).not.toBe(before);
  expect(ask).toHaveBeenCalledTimes(2);
});

it('returns null for a file that changed meanwhile and reads the next source', async () => {
  const { contents } = open();
  await folder.write('Kai/a.jpg', 'one');
  await folder.write('Mole/a.jpg', 'one');
  const found = await theSource('Kai');
  await truncate(join(folder.path, 'Kai/a.jpg'), 2);
  expect(await contents.ofSource('rule', found, noEnd)).toBeNull();
  expect(await contents.ofSource('rule', await theSource('Mole'), noEnd)).not.toBeNull();
});

it('stops an aborted read immediately and reads the next source', async () => {
  const { contents, reported } = open();
  await folder.write('Large/a.jpg', Buffer.alloc(64 * mebibyte));
  await folder.write('Kai/a.jpg', 'one');
  const ending = new AbortController();
  const [large, small] = [await theSource('Large'), await theSource('Kai')];
  reported.mockImplementationOnce(() => ending.abort(new Error('not wanted')));
  const reading = contents.ofSource('rule', large, ending.signal);
  const next = contents.ofSource('rule', small, noEnd);
  await expect(reading).rejects.toThrow('not wanted');
  expect(await next).not.toBeNull();
});

it('reports the percentage of a source that it has read, and its progress', async () => {
  const { contents, reported } = open();
  await folder.write('Kai/a.jpg', Buffer.alloc(32 * mebibyte));
  const found = await theSource('Kai');
  const seen: (number | null)[] = [contents.percentRead('rule', 'Kai')];
  reported.mockImplementation(() => void seen.push(contents.percentRead('rule', 'Kai')));
  await contents.ofSource('rule', found, noEnd);
  seen.push(contents.percentRead('rule', 'Kai'));
  expect([seen[0], seen[1], seen.at(-1)]).toEqual([null, expect.any(Number), null]);
  expect(reported).toHaveBeenCalledWith('rule');
});
