import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ScanOptions, scanSource } from '../../../main/files/walk/scan.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let root: string;

beforeEach(async () => {
  root = temporaryFolder();
});

async function writeNamed(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), name);
  }
}

async function keys(names: readonly string[], options: ScanOptions): Promise<readonly string[]> {
  const { files } = await scanSource(
    names.map((name) => join(root, name)),
    options,
  );
  return Array.from(files, ({ key }) => key).sort();
}

describe('keys below a base folder', () => {
  it('keys below a base folder: makes keys relative to the base folder for files and folders', async () => {
    await writeNamed('in/a.tif', 'in/deep/b.tif', 'in/deep/c/d.tif');
    const keysFrom = join(root, 'in');
    expect(await keys(['in'], { keysFrom })).toEqual(['a.tif', 'deep/b.tif', 'deep/c/d.tif']);
    expect(await keys(['in/deep'], { keysFrom })).toEqual(['deep/b.tif', 'deep/c/d.tif']);
    expect(await keys(['in/deep/b.tif'], { keysFrom })).toEqual(['deep/b.tif']);
    expect(await keys(['in/a.tif', 'in/deep/c'], { keysFrom })).toEqual(['a.tif', 'deep/c/d.tif']);
  });

  it('keys below a base folder: normalizes them to NFC', async () => {
    await writeNamed('in/U\u0308/a\u0308.tif');
    expect(await keys(['in/U\u0308'], { keysFrom: join(root, 'in') })).toEqual(['\u00dc/\u00e4.tif']);
  });

  it('S62: a scan below a base folder refuses a link that replaced a listed file, and files behind one', async () => {
    await writeNamed('in/a.tif', 'in/deep/b.tif', 'private/a.tif', 'private/b.tif');
    const keysFrom = join(root, 'in');
    await rm(join(root, 'in/a.tif'));
    await symlink(join(root, 'private/a.tif'), join(root, 'in/a.tif'));
    await rm(join(root, 'in/deep'), { recursive: true });
    await symlink(join(root, 'private'), join(root, 'in/deep'));
    for (const name of ['in/a.tif', 'in/deep', 'in/deep/b.tif'])
      await expect(keys([name], { keysFrom })).rejects.toMatchObject({ code: 'source-changed' });
  });

  it('a scan below a base folder refuses paths outside the folder', async () => {
    await writeNamed('in/a.tif', 'b.tif', '..c/d.tif');
    const outsideKeys = keys(['b.tif'], { keysFrom: join(root, 'in') });
    await expect(outsideKeys).rejects.toMatchObject({ code: 'input-invalid' });
    expect(await keys(['..c/d.tif'], { keysFrom: root })).toEqual(['..c/d.tif']);
  });
});

describe('gitignore patterns', () => {
  const gitignore = ['*.bak', '/raw/', 'deep/*.log', '!deep/keep.log'];

  it('gitignore patterns exclude paths, in worker threads too', async () => {
    await writeNamed(
      'in/a.tif',
      'in/a.bak',
      'in/raw/b.tif',
      'in/x/raw/b.tif',
      'in/deep/a.log',
      'in/deep/keep.log',
    );
    const expected = ['a.tif', 'deep/keep.log', 'x/raw/b.tif'];
    expect(await keys(['in'], { gitignore })).toEqual(expected);
    expect(await keys(['in'], { gitignore, keysFrom: join(root, 'in') })).toEqual(expected);
  });

  it('gitignore patterns apply to files that are dropped by name', async () => {
    await writeNamed('in/a.tif', 'in/a.bak', 'in/raw/b.tif', 'in/deep/a.log', 'in/c.tmp');
    const droppedNames = ['in/a.tif', 'in/a.bak', 'in/raw/b.tif', 'in/deep/a.log', 'in/c.tmp'];
    expect(await keys(droppedNames, { gitignore, keysFrom: join(root, 'in') })).toEqual(['a.tif']);
    await expect(keys(['in/a.bak'], { gitignore, keysFrom: join(root, 'in') })).rejects.toMatchObject({
      code: 'source-empty',
    });
  });

  it('gitignore patterns extend the built-in exclusions', async () => {
    await writeNamed('in/a.tif', 'in/b.tmp', 'in/.git/config');
    expect(await keys(['in'], { gitignore: ['!*.tmp', '!.git/'] })).toEqual(['a.tif']);
  });
});
