import { execFileSync } from 'node:child_process';
import { realpath, rename, symlink, truncate, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFindWriter } from '../../../../main/files/open-for-writing.ts';
import { openInside } from '../../../../main/files/open-inside.ts';
import { createInspector } from '../../../../main/inspect/session/inspector.ts';
import type { FoundSource } from '../../../../main/watch/model/model.ts';
import { scanRule, scanSourceAt } from '../../../../main/watch/scan/scan-rule.ts';
import { Tree } from '../../../../main/watch/scan/tree.ts';
import {
  checkCompleteness as checkInside,
  type NotReadyReason,
} from '../../../../main/watch/settle/completeness.ts';
import { sayPhrase } from '../../../../renderer/say.ts';
import type { Seen } from '../../../../shared/source.ts';
import { glb, jpeg, las, laz, png, tiff, zip } from '../../../unit/inspect/formats/sample-files.ts';
import { createWatchedFolder, type WatchedFolder } from '../watched-folder.ts';
import { SlowWriter } from './slow-writer.ts';

const MiB = 1024 * 1024;
/** Formats the reason as a person reads it. */
const inWords = (notReady: NotReadyReason | null) =>
  notReady && { ...notReady, reason: sayPhrase(notReady.reason) };
const inspector = createInspector();
afterAll(() => inspector.close());
const checkCompleteness = async (folderPath: string, source: FoundSource) =>
  inWords(await checkInside(folderPath, source, { inspector }));
const findWriter = createFindWriter();
const onLinux = process.platform === 'linux';

let folder: WatchedFolder;
beforeEach(async () => {
  folder = await createWatchedFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

async function sourceAt(path: string): Promise<FoundSource> {
  const source = await scanSourceAt(folder.rule(), path);
  if (!source) throw new Error(`there is no source at ${path}`);
  return source;
}

/** Sets the times back, like a program that keeps those of the original. */
const setBack = (name: string) => utimes(join(folder.path, name), 1_700_000_000, 1_700_000_000);

describe('a file next to the control file of a download', () => {
  it.each(['aria2', 'st', 'lftp-pget-status', 'crdownload', 'part', 'incomplete'])(
    'waits for a download while its .%s file exists',
    async (ending) => {
      await folder.put('a.tif', `a.tif.${ending}`);
      const source = await sourceAt('a.tif');
      expect(await checkCompleteness(folder.path, source)).toMatchObject({
        kind: 'wait-for-change',
        reason: `a.tif.${ending} belongs to a download that isn’t complete`,
      });
      await unlink(join(folder.path, `a.tif.${ending}`));
      expect(await checkCompleteness(folder.path, await sourceAt('a.tif'))).not.toMatchObject({
        reason: expect.stringContaining('download'),
      });
    },
  );

  it('doesn’t wait for the control file of another file', async () => {
    await folder.put('a.tif', 'b.tif.aria2');
    expect(await checkCompleteness(folder.path, await sourceAt('a.tif'))).not.toMatchObject({
      reason: expect.stringContaining('download'),
    });
  });
});

describe('detecting a slow writer', () => {
  it('waits while a preallocated file is open or empty, and detects each write', async () => {
    const path = join(folder.path, 'a.bin');
    await using writer = new SlowWriter();
    await writer.do({ kind: 'open', path, flags: 'w' });
    await writer.do({ kind: 'truncate', size: 8 * MiB });
    await setBack('a.bin');
    const before = await sourceAt('a.bin');
    expect(await checkCompleteness(folder.path, before)).toMatchObject({
      kind: 'wait-longer',
      reason: expect.stringContaining('a.bin'),
    });
    if (onLinux) expect(await findWriter(before)).toBe(join(await realpath(folder.path), 'a.bin'));
    await writer.do({ kind: 'write', byte: 7, length: MiB, at: 0 });
    await setBack('a.bin');
    const after = await sourceAt('a.bin');
    expect(after.dataFingerprint).toBe(before.dataFingerprint);
    expect(after.digest).not.toBe(before.digest);
    expect(await checkCompleteness(folder.path, after)).toMatchObject({ kind: 'wait-longer' });
    await writer.do({ kind: 'write', byte: 7, length: 7 * MiB, at: MiB });
    await writer.do({ kind: 'close' });
    const whole = await sourceAt('a.bin');
    expect(await checkCompleteness(folder.path, whole)).toBeNull();
    expect(await findWriter(whole)).toBeNull();
  });

  it('waits longer for a file with a hole between its ends', async () => {
    const path = join(folder.path, 'a.bin');
    await using writer = new SlowWriter();
    await writer.do({ kind: 'open', path, flags: 'w' });
    await writer.do({ kind: 'write', byte: 7, length: 64 * 1024, at: 0 });
    await writer.do({ kind: 'write', byte: 7, length: 64 * 1024, at: 64 * MiB });
    await writer.do({ kind: 'close' });
    const notReady = await checkCompleteness(folder.path, await sourceAt('a.bin'));
    expect(notReady).toEqual({ kind: 'wait-longer', reason: '1 file is almost empty on the disk: a.bin.' });
  });

  it('detects each appended piece, and the writer while it pauses', async () => {
    const path = join(folder.path, 'in.xyz');
    await using writer = new SlowWriter();
    await writer.do({ kind: 'open', path, flags: 'a' });
    const digests = new Set<string>();
    for (let piece = 0; piece < 5; piece++) {
      await writer.do({ kind: 'write', byte: 49, length: 100_000, at: null });
      const source = await sourceAt('in.xyz');
      digests.add(source.digest);
      if (onLinux) expect(await findWriter(source)).not.toBeNull();
    }
    expect(digests.size).toBe(5);
  });

  it('ignores a file until its writer renames it to the final name', async () => {
    await using writer = new SlowWriter();
    const path = join(folder.path, 'a.tif.part');
    await writer.do({ kind: 'open', path, flags: 'w' });
    await writer.do({ kind: 'write', byte: 7, length: 10_000, at: null });
    expect((await scanRule(folder.rule())).sources).toEqual([]);
    await writer.do({ kind: 'close' });
    await rename(path, join(folder.path, 'a.tif'));
    expect((await scanRule(folder.rule())).sources.map((source) => source.path)).toEqual(['a.tif']);
  });

  it('detects a save by renaming, even at the same size and time', async () => {
    await folder.write('a.xyz', 'old words');
    await setBack('a.xyz');
    const before = await sourceAt('a.xyz');
    await folder.write('a.xyz.tmp', 'new words');
    await setBack('a.xyz.tmp');
    await rename(join(folder.path, 'a.xyz.tmp'), join(folder.path, 'a.xyz'));
    const after = await sourceAt('a.xyz');
    expect(after.identity).toBe(before.identity);
    expect(after.digest).not.toBe(before.digest);
  });

  it('ignores a program that only reads the file', async () => {
    await folder.write('a.bin', Buffer.alloc(10_000, 7));
    await using reader = new SlowWriter();
    await reader.do({ kind: 'open', path: join(folder.path, 'a.bin'), flags: 'r' });
    expect(await findWriter(await sourceAt('a.bin'))).toBeNull();
  });

  it('ignores a program that writes another file', async () => {
    await folder.write('a.bin', Buffer.alloc(10_000, 7));
    await using writer = new SlowWriter();
    await writer.do({ kind: 'open', path: join(folder.path, 'b.bin'), flags: 'w' });
    expect(await findWriter(await sourceAt('a.bin'))).toBeNull();
  });
});

describe('checkCompleteness()', () => {
  const filled = (length = 20_000) => Buffer.alloc(length, 7);
  const cut = (bytes: Buffer) => bytes.subarray(0, -1);

  it.each<[string, string, Buffer | string]>([
    ['1 file is truncated: {file}.', 'a.zip', filled(8_000)],
    ['1 file is truncated: {file}.', 'b.kmz', cut(zip())],
    ['1 file is truncated: {file}.', 'a.tif', Buffer.concat([Buffer.from('II*\0'), Buffer.alloc(20_000)])],
    ['1 file is truncated: {file}.', 'a.tif', cut(tiff())],
    ['1 file is truncated: {file}.', 'a.las', cut(las())],
    ['1 file is truncated: {file}.', 'a.laz', cut(laz())],
    ['1 file is truncated: {file}.', 'a.jpg', cut(jpeg)],
    ['1 file is truncated: {file}.', 'a.png', cut(png)],
    ['1 file is unfinished: {file}.', 'b.glb', Buffer.concat([glb, filled()])],
    ['1 file is empty: {file}.', 'a.tif', ''],
    ['1 file is only a Git LFS pointer: {file}.', 'a.laz', 'version https://git-lfs.github.com/spec/v1\n'],
    ['1 file contains a web page: {file}.', 'a.tif', '<!doctype html><html></html>'],
    ['1 file contains zeros instead of data: {file}.', 'a.tif', Buffer.alloc(20_000)],
    ['1 file contains zeros instead of data: {file}.', 'a.laz', Buffer.concat([laz(), Buffer.alloc(5_000)])],
  ])('waits for a change because “%s”: %s', async (words, name, content) => {
    await folder.write(name, content);
    expect(await checkCompleteness(folder.path, await sourceAt(name))).toEqual({
      kind: 'wait-for-change',
      reason: words.replace('{file}', name),
      finding: { id: expect.any(String), count: 1, files: [name] },
    });
  });

  it.each<[string, string, Buffer | string]>([
    ['text', 'scan.las', 'x y z'],
    ['png', 'ortho.tif', png],
    ['unknown', 'scan.glb', filled()],
  ])('waits for a change if the file contains %s instead of its format', async (content, name, bytes) => {
    await folder.write(name, bytes);
    expect(await checkCompleteness(folder.path, await sourceAt(name))).toMatchObject({
      kind: 'wait-for-change',
      reason: `1 file isn’t what its name says: ${name}.`,
      finding: {
        ...{ id: 'wrong-format', count: 1, files: [name] },
        values: { content: { key: `findings.content.${content}` } },
      },
    });
  });

  it.each<[string, Buffer | string]>([
    ['a.zip', zip()],
    ['a.tif', tiff()],
    ['a.las', las()],
    ['a.laz', laz()],
    ['a.jpg', Buffer.concat([jpeg, filled()])],
    ['a.png', png],
    ['a.glb', glb],
    ['named-wrongly.jpg', png],
    ['empty.txt', ''],
  ])('accepts a file that is complete by its format: %s', async (name, content) => {
    await folder.write(name, content);
    expect(await checkCompleteness(folder.path, await sourceAt(name))).toBeNull();
  });

  it('checks the length of a file against the header file next to it', async () => {
    await folder.write('flight/dsm.FLT', filled(4 * 30));
    await folder.write('flight/DSM.hdr', 'ncols 6\nnrows 5\ncellsize 1\n');
    expect(await checkCompleteness(folder.path, await sourceAt('flight'))).toBeNull();
    await folder.write('flight/dsm.FLT', filled(4 * 30 - 1));
    expect(await checkCompleteness(folder.path, await sourceAt('flight'))).toEqual({
      kind: 'wait-for-change',
      reason: '1 file is truncated: dsm.FLT.',
      finding: { id: 'cut-off', count: 1, files: ['dsm.FLT'] },
    });
  });

  it('finds one small damaged file among many large files', async () => {
    for (let index = 0; index < 230; index++) await folder.write(`tiles/${index}.bin`, filled(5_000));
    await folder.write('tiles/a.tif', 'version https://git-lfs.github.com/spec/v1\n');
    expect(await checkCompleteness(folder.path, await sourceAt('tiles'))).toMatchObject({
      kind: 'wait-for-change',
    });
  });

  it('waits for a missing file that the source references', async () => {
    await folder.write('m.obj', 'mtllib m.mtl\n');
    expect(await checkCompleteness(folder.path, await sourceAt('m.obj'))).toEqual({
      kind: 'wait-for-change',
      reason: 'm.mtl is required and missing',
    });
  });

  it('waits longer for a file that begins or ends with zeros', async () => {
    await folder.write('end.bin', Buffer.concat([filled(), Buffer.alloc(5_000)]));
    await folder.write('begin.bin', Buffer.concat([Buffer.alloc(5_000), filled()]));
    for (const name of ['end.bin', 'begin.bin']) {
      expect(await checkCompleteness(folder.path, await sourceAt(name))).toMatchObject({
        kind: 'wait-longer',
      });
    }
  });

  it('waits for a change of a file with terabytes that occupies no space', async () => {
    await folder.write('giant.tif', 'II*');
    await truncate(join(folder.path, 'giant.tif'), 2 ** 42);
    expect(await checkCompleteness(folder.path, await sourceAt('giant.tif'))).toEqual({
      kind: 'wait-for-change',
      reason: '1 file is truncated: giant.tif.',
      finding: { id: 'cut-off', count: 1, files: ['giant.tif'] },
    });
  });
});

describe.skipIf(process.platform === 'win32')('a file that was replaced after its scan', () => {
  it('reads no replaced file through a link and waits for no pipe', async () => {
    await folder.write('sub/a.zip', Buffer.alloc(8_000, 'a'));
    await using outside = await createWatchedFolder();
    await outside.write('a.zip', Buffer.alloc(8_000, 'b'));
    const source = await sourceAt('sub');
    const closed = { kind: 'wait-longer', reason: 'a.zip can’t be read; another program may be using it' };
    const path = join(folder.path, 'sub/a.zip');

    await rename(path, `${path}.tmp`);
    await symlink(join(outside.path, 'a.zip'), path);
    expect(await checkCompleteness(folder.path, source)).toEqual(closed);
    await unlink(path);
    execFileSync('mkfifo', [path]);
    expect(await checkCompleteness(folder.path, source)).toEqual(closed);
    await rename(join(folder.path, 'sub'), join(folder.path, 'before'));
    await symlink(outside.path, join(folder.path, 'sub'));
    expect(await checkCompleteness(folder.path, source)).toEqual(closed);
    const inspections: Seen[] = [];
    const { signal } = new AbortController();
    const { files } = source;
    await inspector.scanHeaders({ folder: folder.path, files }, signal, (seen) => inspections.push(seen));
    expect(inspections.at(-1)?.degrees).toMatchObject([{ degree: 'unreadable', count: 1 }]);
    expect(await inspector.readBeginning(folder.path, path, 4)).toBeNull();
    for (const platform of ['linux', 'darwin'] as const)
      expect(() => openInside(folder.path, path, platform)).toThrow('leads outside');
  });

  it('lists no folder through a link that replaced its parent', async () => {
    await using outside = await createWatchedFolder();
    await outside.put('deep/secret.tif');
    await symlink(outside.path, join(folder.path, 'sub'));
    const tree = new Tree(folder.rule());
    expect(await tree.folder('sub/deep')).toBeNull();
  });
});
