import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { scanSource } from '../../../../main/files/walk/scan.ts';
import { createQueries, openDatabase } from '../../../../main/jobs/journal/database.ts';
import type { MoveOptions } from '../../../../main/watch/finish/move-plan.ts';
import { finishMoves, moveSource } from '../../../../main/watch/finish/move-source.ts';
import type { FoundSource } from '../../../../main/watch/model/model.ts';
import { createMoveJournal, type MoveJournal } from '../../../../main/watch/state/ledger/side-tables.ts';
import { foundSource } from '../../../unit/watch/found-sources.ts';

const otherDrive = '/dev/shm';
const driveOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
const hasOtherDrive = driveOf(otherDrive) !== undefined && driveOf(otherDrive) !== driveOf(tmpdir());

let root: string;
let folder: string;
let done: string;
let journal: MoveJournal;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tilelift-move-'));
  folder = join(root, 'in');
  done = join(folder, 'done');
  journal = createMoveJournal(createQueries(openDatabase(':memory:'), 'journal.db'));
  await mkdir(folder);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), name);
  }
}

/** Lists every file below the root. */
async function tree(): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.map((file) => relative(root, file)).sort();
}

const content = (name: string) => readFile(join(root, name), 'utf8');

async function source(path: string, entries: readonly string[], keysFrom: string): Promise<FoundSource> {
  const from = join(folder, keysFrom);
  const paths = entries.map((entry) => join(folder, entry));
  const { files } = await scanSource(paths, { keysFrom: from, gitignore: ['/done/', '/failed/', '/go.txt'] });
  return foundSource(path, { paths, keysFrom: from, files: [...files] });
}

const leave = { kind: 'leave' } as const;

function options(more: Partial<MoveOptions> = {}, rule: Partial<MoveOptions['rule']> = {}): MoveOptions {
  return {
    rule: {
      folder,
      unit: { kind: 'entries' },
      readyWhen: { kind: 'settled' },
      afterSuccess: leave,
      afterFailure: leave,
      ...rule,
    },
    target: done,
    timestamp: new Date(2026, 10, 21, 9).getTime(),
    shared: new Set(),
    ...more,
  };
}

const move = (found: FoundSource, how: MoveOptions) => moveSource(found, how, journal);

const failed = { code: 'watch-move-failed' };

describe('moving a subfolder', () => {
  it('moves a subfolder into the target, which it creates', async () => {
    await put('scan/a.tif', 'scan/deep/b.tif', 'other/c.tif');
    const movedTo = await move(await source('scan', ['scan'], 'scan'), options());
    expect(movedTo).toBe(join(done, 'scan'));
    expect(await tree()).toEqual(['in/done/scan/a.tif', 'in/done/scan/deep/b.tif', 'in/other/c.tif']);
  });

  it('appends a number to a taken folder name and overwrites nothing', async () => {
    await put('scan.v2/a.tif', 'done/scan.v2/old.tif', 'done/scan.v2 (2)/older.tif');
    const movedTo = await move(await source('scan.v2', ['scan.v2'], 'scan.v2'), options());
    expect(movedTo).toBe(join(done, 'scan.v2 (3)'));
    expect(await content('in/done/scan.v2/old.tif')).toBe('done/scan.v2/old.tif');
  });

  it('fails and leaves a subfolder in place if it can’t be moved', async () => {
    await put('scan/a.tif', 'done');
    await expect(move(await source('scan', ['scan'], 'scan'), options())).rejects.toMatchObject(failed);
    expect(await tree()).toEqual(['in/done', 'in/scan/a.tif']);
  });
});

describe('moving a single file', () => {
  it('inserts the number before the extension of a file', async () => {
    await put('a.tif', 'done/a.tif');
    expect(await move(await source('a.tif', ['a.tif'], ''), options())).toBe(join(done, 'a (2).tif'));
    expect(await content('in/done/a (2).tif')).toBe('a.tif');
    expect(await content('in/done/a.tif')).toBe('done/a.tif');
  });

  it('refuses to move a file that other sources need', async () => {
    await put('a.tif');
    const shared = new Set([join(folder, 'a.tif')]);
    await expect(move(await source('a.tif', ['a.tif'], ''), options({ shared }))).rejects.toMatchObject(
      failed,
    );
    expect(await tree()).toEqual(['in/a.tif']);
  });
});

describe('moving a data set', () => {
  const model = () => source('sub/m.obj', ['sub/m.mtl', 'sub/m.obj', 'sub/textures'], 'sub');

  it('moves a data set with its folder structure', async () => {
    await put('sub/m.obj', 'sub/m.mtl', 'sub/textures/1.jpg', 'sub/other.obj');
    expect(await move(await model(), options())).toBe(join(done, 'm.obj'));
    expect(await tree()).toEqual([
      'in/done/m.mtl',
      'in/done/m.obj',
      'in/done/textures/1.jpg',
      'in/sub/other.obj',
    ]);
  });

  it('moves a data set to a folder of its own if a name is taken, so references still work', async () => {
    await put('sub/m.obj', 'sub/m.mtl', 'sub/textures/1.jpg', 'done/m.mtl', 'done/m/x');
    expect(await move(await model(), options())).toBe(join(done, 'm (2)'));
    expect(await tree()).toEqual([
      'in/done/m (2)/m.mtl',
      'in/done/m (2)/m.obj',
      'in/done/m (2)/textures/1.jpg',
      'in/done/m.mtl',
      'in/done/m/x',
    ]);
  });

  it('leaves files that other sources need, with their whole folder', async () => {
    await put('sub/m.obj', 'sub/m.mtl', 'sub/textures/1.jpg', 'sub/textures/2.jpg');
    const shared = new Set([join(folder, 'sub/textures/2.jpg')]);
    await move(await model(), options({ shared }));
    expect(await tree()).toEqual([
      'in/done/m.mtl',
      'in/done/m.obj',
      'in/sub/textures/1.jpg',
      'in/sub/textures/2.jpg',
    ]);
  });

  it('moves a data set back if one of its files can’t be moved', async () => {
    await put('sub/m.obj', 'sub/m.mtl', 'sub/textures/1.jpg');
    const found = await model();
    await rm(join(folder, 'sub/textures'), { recursive: true });
    await expect(move(found, options())).rejects.toMatchObject(failed);
    expect(await tree()).toEqual(['in/sub/m.mtl', 'in/sub/m.obj']);
    expect(await readdir(folder)).toEqual(['sub']);
  });
});

describe('moving a whole folder', () => {
  const rule = {
    unit: { kind: 'whole-folder' },
    readyWhen: { kind: 'marker', name: 'go.txt' },
    afterSuccess: { kind: 'move', folder: 'done' },
    afterFailure: { kind: 'move', folder: 'failed' },
  } as const;
  const whole = () => source('.', ['.'], '.');

  it('moves a whole folder and its marker to a folder named after it and the date', async () => {
    await put('go.txt', 'a.tif', 'deep/b.tif', 'done/earlier/x', 'failed/y', '.DS_Store');
    expect(await move(await whole(), options({}, rule))).toBe(join(done, 'in 2026-11-21'));
    expect(await tree()).toEqual([
      'in/.DS_Store',
      'in/done/earlier/x',
      'in/done/in 2026-11-21/a.tif',
      'in/done/in 2026-11-21/deep/b.tif',
      'in/done/in 2026-11-21/go.txt',
      'in/failed/y',
    ]);
  });

  it('numbers whole folders moved on the same day', async () => {
    for (const expected of ['in 2026-11-21', 'in 2026-11-21 (2)']) {
      await put('go.txt', 'a.tif');
      expect(await move(await whole(), options({}, rule))).toBe(join(done, expected));
    }
  });
});

describe('an interrupted move', () => {
  /** Leaves the state after a kill: the plan, some moved entries, the others in place. */
  async function cutOff(entries: number): Promise<void> {
    await put('m.obj', 'm.mtl', 'm.jpg');
    const found = await source('m.obj', ['m.jpg', 'm.mtl', 'm.obj'], '');
    const names = found.paths.map((from) => relative(folder, from));
    const moves = names.map((name) => ({ from: [name], to: [name] }));
    journal.addMoves({ id: 'one', folder, target: done, moves });
    await mkdir(done);
    for (const name of names.slice(0, entries)) await rename(join(folder, name), join(done, name));
  }

  const moved = ['in/done/m.jpg', 'in/done/m.mtl', 'in/done/m.obj'];

  it.each([0, 1, 2, 3])('resumes a move after %i of three entries', async (entries) => {
    await cutOff(entries);
    await finishMoves(folder, journal);
    expect(await tree()).toEqual(moved);
    expect(await readdir(folder)).toEqual(['done']);
    await finishMoves(folder, journal);
    expect(await tree()).toEqual(moved);
  });

  it('leaves a file that arrived in place of a moved one', async () => {
    await cutOff(2);
    await put('m.mtl');
    await finishMoves(folder, journal);
    expect(await tree()).toEqual([...moved, 'in/m.mtl']);
  });

  it('resumes over its own placeholder and replaces no other file', async () => {
    await cutOff(1);
    const mark = 'Tilelift moves a file here: one\n';
    for (const name of ['m.mtl', 'm.obj']) await writeFile(join(done, name), mark);
    await writeFile(join(done, 'm.obj'), mark.replace('one', 'two'));
    await finishMoves(folder, journal);
    expect(await content('in/done/m.mtl')).toBe('m.mtl');
    expect(await content('in/done/m.obj')).toBe(mark.replace('one', 'two'));
    expect(await content('in/m.obj')).toBe('m.obj');
  });

  it('moves nothing if no move was interrupted', async () => {
    await finishMoves(folder, journal);
    expect(await tree()).toEqual([]);
  });

  it('reports a move that can’t resume, and resumes it later', async () => {
    await cutOff(1);
    await rename(done, join(root, 'elsewhere'));
    await writeFile(done, 'in the way');
    await expect(finishMoves(folder, journal)).rejects.toMatchObject(failed);
    await rm(done);
    await rename(join(root, 'elsewhere'), done);
    await finishMoves(folder, journal);
    expect(await tree()).toEqual(moved);
  });
});

describe.skipIf(!hasOtherDrive)('moving to another drive', () => {
  it('refuses to move to another drive and leaves everything in place', async () => {
    await put('m.obj', 'm.mtl');
    const target = await mkdtemp(join(otherDrive, 'tilelift-move-'));
    onTestFinished(() => rm(target, { recursive: true }));
    const found = await source('m.obj', ['m.mtl', 'm.obj'], '');
    const moving = move(found, options({ target: join(target, 'deep/done') }));
    await expect(moving).rejects.toMatchObject({ ...failed, cause: { code: 'EXDEV' } });
    expect(await tree()).toEqual(['in/m.mtl', 'in/m.obj']);
    expect(await readdir(target)).toEqual([]);
  });
});
