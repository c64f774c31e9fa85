import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ListReader } from '../../../../main/files/checksum-lists/list-reader.ts';
import { ListChecks } from '../../../../main/watch/settle/listed-files.ts';

// Throws in this thread only, since the list threads load the module themselves.
vi.mock('../../../../main/files/checksum-lists/checksum-list.ts', async (original) => ({
  ...(await original<object>()),
  checksumsIn: () => {
    throw new Error('parsed in the main thread');
  },
}));

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const mebibyte = 1024 * 1024;

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tilelift-lists-')));
  await writeFile(join(folder, 'a.tif'), 'a');
});
afterEach(() => rm(folder, { recursive: true }));

const fileList = () => [{ path: join(folder, 'a.tif'), key: 'a.tif', size: 1, mtimeMs: 0 }];
/** The file `a.tif` as a scan returns it. */
const source = () => {
  const paths = [join(folder, 'a.tif')];
  return { path: 'a.tif', paths, keysFrom: folder, files: fileList(), digest: 'd' } as never;
};
const put = (files: Readonly<Record<string, string>>) =>
  Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
const read = (reader = new ListReader(folder)) =>
  reader.listsOf({ files: fileList(), place: join(folder, 'a.tif'), isFolder: false });

describe('ListReader', () => {
  it('S28: parses checksum lists in a thread that returns only entries of the source', async () => {
    await put({
      'all.md5': `${md5('b')}  b.tif\n${md5('a')}  a.tif\n${md5('c')}  ../../etc/passwd\n`,
      'a.tif.sha1': `${'0'.repeat(40)}\n`,
    });
    expect(await read()).toMatchObject({
      files: [
        { list: 'a.tif.sha1', algorithm: 'sha1', checksum: '0'.repeat(40), file: { key: 'a.tif' } },
        { list: 'all.md5', algorithm: 'md5', checksum: md5('a'), file: { key: 'a.tif' } },
      ],
      missing: null,
      tooLarge: null,
    });
  });

  it('caches checksum lists in the thread and reads them again after a change', async () => {
    const reader = new ListReader(folder);
    await put({ 'all.md5': `${md5('a')}  a.tif\n` });
    for (const checksum of [md5('a'), md5('a')])
      expect((await read(reader)).files).toMatchObject([{ checksum }]);
    await put({ 'all.md5': `${md5('another')}  ./a.tif\n` });
    expect((await read(reader)).files).toMatchObject([{ checksum: md5('another') }]);
  });

  it('returns few entries to the main thread, however often a list names a file', async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `${md5(String(at))}  a.tif`);
    await put({ 'all.md5': lines.join('\n') });
    expect((await read()).files).toHaveLength(8);
  });

  it.each([
    ['a list above its size limit', { 'huge.md5': 16 * mebibyte + 1 }, 'huge.md5'],
    [
      'lists above their total size limit',
      Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`huge${at}.md5`, 14 * mebibyte])),
      'huge5.md5',
    ],
    [
      'a list above the limit of lists',
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`l${String(at).padStart(3, '0')}.md5`, 0])),
      'l100.md5',
    ],
  ])('S29: reports that %s can’t be checked', async (_what, sizes, list) => {
    for (const [name, size] of Object.entries(sizes)) {
      await writeFile(join(folder, name), '');
      await truncate(join(folder, name), size);
    }
    expect(await read()).toEqual({ files: [], missing: null, tooLarge: list });
  });

  it('reports a list with too many entries and keeps its source waiting', async () => {
    await put({ 'long.md5': `${md5('b')}  b\n`.repeat(200_001) });
    const checks = new ListChecks({ folder, onDone: () => {} });
    expect(await checks.check(source())).toEqual({
      kind: 'wrong',
      notReady: {
        kind: 'wait-for-change',
        reason: { key: 'sources.doubt.listTooLarge', values: { list: 'long.md5' } },
      },
    });
    await rm(join(folder, 'long.md5'));
    expect(await checks.check(source())).toEqual({ kind: 'none' });
    checks.dispose();
  });

  it('ignores checksum lists that aren’t plain files', async () => {
    await mkdir(join(folder, 'folder.md5'));
    await put({ 'all.md5': `${md5('a')}  a.tif\n` });
    expect((await read()).files).toHaveLength(1);
  });
});
