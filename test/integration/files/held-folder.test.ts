import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type HeldFolder,
  holdFolder,
  isName,
  type MadeFolder,
  removeEmpty,
} from '../../../main/files/held-folder.ts';
import { holdTarget, isMark, moveEntry, removeMark } from '../../../main/files/move-entry.ts';

let root: string;
let folder: string;
let outside: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tilelift-held-'));
  folder = join(root, 'in');
  outside = join(root, 'outside');
  for (const path of [folder, outside, join(folder, 'sub'), join(folder, 'done')]) await mkdir(path);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const inTheWay = { name: 'InTheWay' };

/** Replaces a folder with a link, as a colleague can do between two calls. */
async function swapForLink(name: string): Promise<void> {
  await rename(join(folder, name), join(folder, `${name}-before`));
  await symlink(outside, join(folder, name));
}

describe.each(['linux', 'darwin'] as const)('holdFolder() on %s', (platform) => {
  it('reaches no folder through a link or a file', async () => {
    await symlink(outside, join(folder, 'link'));
    await expect(holdFolder(folder, ['link'], { platform })).rejects.toMatchObject(inTheWay);
    await mkdir(join(outside, 'deep'));
    await expect(holdFolder(folder, ['link', 'deep'], { platform })).rejects.toMatchObject(inTheWay);
    await writeFile(join(folder, 'file'), '');
    await expect(holdFolder(folder, ['file'], { platform })).rejects.toMatchObject(inTheWay);
  });

  it('accepts a link as the watched folder itself, since the person chose it', async () => {
    await symlink(folder, join(root, 'link'));
    await using held = await holdFolder(join(root, 'link'), ['sub'], { platform });
    await writeFile(held.entryPath('a'), 'a');
    expect(await readdir(join(folder, 'sub'))).toEqual(['a']);
  });

  it('creates missing folders, which removeEmpty() removes again', async () => {
    const madeFolders: MadeFolder[] = [];
    await using held = await holdFolder(folder, ['sub', 'a', 'b'], { platform, madeFolders });
    await held.check();
    expect(madeFolders.map(({ way }) => way.join('/'))).toEqual(['sub/a', 'sub/a/b']);
    for (const one of madeFolders.toReversed()) await removeEmpty(one);
    expect(await readdir(join(folder, 'sub'))).toEqual([]);
  });

  it('rejects names that are paths', async () => {
    await using held = await holdFolder(folder, [], { platform });
    for (const name of ['', '.', '..', 'a/b', '../x', 'a\0b']) {
      expect(isName(name)).toBe(false);
      expect(() => held.entryPath(name)).toThrow(expect.objectContaining(inTheWay));
      await expect(holdFolder(folder, [name], { platform })).rejects.toMatchObject(inTheWay);
    }
  });
});

it('detects that another folder took the place of a held one', async () => {
  await using held = await holdFolder(folder, ['sub'], { platform: 'darwin' });
  await swapForLink('sub');
  await expect(held.check()).rejects.toMatchObject(inTheWay);
});

describe.runIf(process.platform === 'linux')('moveEntry() while links replace its folders', () => {
  let from: HeldFolder;
  let to: HeldFolder;
  beforeEach(async () => {
    await writeFile(join(folder, 'sub/a.tif'), 'a');
    await writeFile(join(outside, 'a.tif'), 'secret');
    from = await holdFolder(folder, ['sub']);
    to = await holdFolder(folder, ['done']);
  });
  afterEach(async () => {
    await from[Symbol.asyncDispose]();
    await to[Symbol.asyncDispose]();
  });

  it('moves a file between the folders that it holds', async () => {
    await swapForLink('sub');
    await swapForLink('done');
    await moveEntry({ folder: from, name: 'a.tif' }, { folder: to, name: 'b.tif' }, 'mark');
    expect(await readdir(outside)).toEqual(['a.tif']);
    expect(await readFile(join(folder, 'done-before/b.tif'), 'utf8')).toBe('a');
  });
});

describe('moveEntry()', () => {
  const place = async (name: string, entry: string) => ({
    folder: await holdFolder(folder, [name]),
    name: entry,
  });

  it('moves no link and no pipe', async () => {
    await writeFile(join(outside, 'secret'), 'secret');
    await symlink(join(outside, 'secret'), join(folder, 'sub/a'));
    const [from, to] = [await place('sub', 'a'), await place('done', 'a')];
    await expect(moveEntry(from, to, 'mark')).rejects.toThrow('neither file nor folder');
    expect(await readdir(join(folder, 'done'))).toEqual([]);
    for (const { folder: held } of [from, to]) await held[Symbol.asyncDispose]();
  });

  it('overwrites nothing, not even a link that leads nowhere', async () => {
    await writeFile(join(folder, 'sub/a'), 'a');
    await symlink(join(outside, 'new'), join(folder, 'done/a'));
    const [from, to] = [await place('sub', 'a'), await place('done', 'a')];
    await expect(moveEntry(from, to, 'mark')).rejects.toThrow('there already');
    expect(await readdir(outside)).toEqual([]);
    expect(await readFile(join(folder, 'sub/a'), 'utf8')).toBe('a');
    for (const { folder: held } of [from, to]) await held[Symbol.asyncDispose]();
  });

  it('recognizes only an exact placeholder as its own', async () => {
    const to = await place('done', 'a');
    for (const text of ['mark and more', 'mar', 'mask']) {
      await writeFile(join(folder, 'done/a'), text);
      expect(await isMark(to, 'mark')).toBe(false);
    }
    await writeFile(join(folder, 'done/a'), 'mark');
    expect(await isMark(to, 'mark')).toBe(true);
    await removeMark(to, 'mark');
    expect(await readdir(join(folder, 'done'))).toEqual([]);
    await to.folder[Symbol.asyncDispose]();
  });
});

describe('holdTarget() outside the watched folder', () => {
  it('accepts a link of the user and creates missing folders', async () => {
    await symlink(outside, join(root, 'link'));
    await using held = await holdTarget(folder, join(root, 'link/new/done'), ['deep'], []);
    await writeFile(held.entryPath('a'), 'a');
    expect(await readdir(join(outside, 'new/done/deep'))).toEqual(['a']);
  });

  it.runIf(process.geteuid?.() === 0)('refuses a link of another user', async () => {
    const { lchown } = await import('node:fs/promises');
    await symlink(outside, join(root, 'link'));
    await lchown(join(root, 'link'), 65_534, 65_534);
    const held = holdTarget(folder, join(root, 'link/done'), [], []);
    await expect(held).rejects.toMatchObject(inTheWay);
    expect(await readdir(outside)).toEqual([]);
  });
});
