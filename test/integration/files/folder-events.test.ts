import fs from 'node:fs';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TileliftError } from '../../../main/errors.ts';
import { type FolderEvents, listenToFolder } from '../../../main/files/folder-events.ts';
import { createLeftOut } from '../../../main/watch/model/left-out.ts';
import { createWatchedFolder, type WatchedFolder } from '../watch/watched-folder.ts';

let folder: WatchedFolder;
let watching: FolderEvents | null;
let hints: string[];
let troubles: TileliftError[];

beforeEach(async () => {
  folder = await createWatchedFolder();
  watching = null;
  hints = [];
  troubles = [];
});
afterEach(async () => {
  await watching?.dispose();
  await folder[Symbol.asyncDispose]();
});

async function watch(polling = false): Promise<void> {
  watching = listenToFolder(folder.path, {
    isLeftOut: createLeftOut(folder.rule({ ignore: ['raw/'] })),
    polling,
    intervalMs: 50,
    onHint: (path) => hints.push(path),
    onTrouble: (error) => troubles.push(error),
  });
  await watching.ready;
}

const hinted = (name: string) =>
  vi.waitFor(() => expect(hints).toContain(join(folder.path, name)), { timeout: 10_000, interval: 20 });

const watches = () => process.getActiveResourcesInfo().filter((kind) => kind === 'FSEventWrap').length;

describe('listenToFolder()', () => {
  it('emits a hint when a file three levels deep is created or extended', async () => {
    await folder.put('a/b/c/old.tif');
    await watch();
    await folder.put('a/b/c/new.tif');
    await hinted('a/b/c/new.tif');
    hints.length = 0;
    await appendFile(join(folder.path, 'a/b/c/old.tif'), 'more');
    await hinted('a/b/c/old.tif');
  });

  it('emits hints for a new subtree and for later files in it', async () => {
    await watch();
    await folder.put('x/y/z/1.tif');
    await hinted('x');
    await hinted('x/y/z');
    await folder.put('x/y/z/2.tif');
    await hinted('x/y/z/2.tif');
  });

  it('emits a hint when an entry or the folder itself is removed', async () => {
    await folder.put('a/1.tif');
    await watch();
    await rm(join(folder.path, 'a'), { recursive: true });
    await hinted('a');
    hints.length = 0;
    await rm(folder.path, { recursive: true });
    await hinted('');
  });

  it('emits hints for new entries while polling', async () => {
    await folder.put('a/b/1.tif');
    await watch(true);
    await folder.put('a/b/2.tif');
    await hinted('a/b');
  });

  it('emits a hint for the whole folder at the start and the end of a flood', async () => {
    await mkdir(join(folder.path, 'a'));
    await watch();
    for (let file = 0; file < 3_000; file++) fs.writeFileSync(join(folder.path, 'a', `${file}.tif`), '');
    await vi.waitFor(() => expect(hints.filter((path) => path === folder.path).length).toBeGreaterThan(1), {
      timeout: 10_000,
    });
  });
});

describe('listenToFolder() without hints', () => {
  it('emits no hint for excluded files', async () => {
    await folder.put('raw/a.tif', 'in/a.tif');
    await watch();
    await folder.put('raw/b.tif', 'in/b.tmp', 'in/c.tif');
    await hinted('in/c.tif');
    expect(new Set(hints)).toEqual(new Set([join(folder.path, 'in/c.tif')]));
  });

  it('emits no hint after dispose() and closes every watch', async () => {
    await folder.put('a/b/1.tif');
    const before = watches();
    await watch();
    expect(watches() - before).toBe(3);
    await watching?.dispose();
    await vi.waitFor(() => expect(watches()).toBe(before));
    await folder.put('a/b/2.tif');
    expect(hints).toEqual([]);
  });
});

it('opens one watch per folder and none per file, for 5,000 folders too', async () => {
  for (let at = 0; at < 5_000; at += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        mkdir(join(folder.path, `${at}/${index}`), { recursive: true }),
      ),
    );
  }
  await folder.put('4900/99/old.tif', '4900/99/older.tif');
  const before = watches();
  await watch();
  expect(watches() - before).toBe(5_051);
  await folder.put('4900/99/new.tif');
  await hinted('4900/99/new.tif');
  expect(troubles).toEqual([]);
}, 60_000);

it.each(['ENOSPC', 'EMFILE', 'ENFILE'])(
  'watches as much as the system’s limit (%s) allows and reports the limit once',
  async (code) => {
    await folder.put('a/1.tif', 'b/1.tif', 'c/1.tif', 'd/1.tif');
    const real = fs.watch;
    const limited = (path: string, ...rest: never[]) => {
      if (/\/[bc]$/.test(path)) throw Object.assign(new Error(`${code}: limit`), { code });
      return Reflect.apply(real, fs, [path, ...rest]);
    };
    Object.assign(fs, { watch: limited });
    syncBuiltinESMExports();
    try {
      await watch();
    } finally {
      Object.assign(fs, { watch: real });
      syncBuiltinESMExports();
    }
    expect(troubles.map((error) => error.code)).toEqual(['watch-limit-reached']);
    await folder.put('a/2.tif', 'd/2.tif');
    await hinted('a/2.tif');
    await hinted('d/2.tif');
  },
);
