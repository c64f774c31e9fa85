import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import { listsOf } from '../../../../main/watch/batches/batch-lists.ts';
import { createKnownBatches } from '../../../../main/watch/batches/known-batches.ts';
import { createLedger } from '../../../../main/watch/ledger/ledger.ts';
import { createPause } from '../../../../main/watch/pause.ts';
import type { WatchRule } from '../../../../main/watch/rule.ts';
import { toSource } from '../../../../main/watch/survey/found-source.ts';
import { Tree } from '../../../../main/watch/survey/tree.ts';
import { batchPlans } from '../../../../main/watch/survey/units/batches.ts';
import { defaultTiming } from '../../../../main/watch/timing.ts';
import { createWatchedFolder } from '../watched-folder.ts';

let elapsedMs = 0;
beforeEach(() => {
  elapsedMs = 0;
});

/** One computer's ledger, and what it finds in the folder by it. */
function computer(rule: WatchRule) {
  const ledger = createLedger(openDatabase(':memory:'), 'journal.db');
  const parts = { ledger, rules: () => [rule], elapsed: () => elapsedMs, timing: defaultTiming };
  const known = createKnownBatches(rule, parts, { publishes: true });
  const lists = () => listsOf(rule.folder, parts);
  const look = async () => {
    const pause = createPause();
    const tree = new Tree(rule);
    const references = { read: async () => [], hasContent: async () => true };
    const { plans, lone } = await batchPlans(await known.look(pause), {
      root: rule.folder,
      tree,
      references,
      pause,
    });
    const sources = [];
    for (const plan of plans) {
      const source = await toSource(rule.folder, plan, tree, pause);
      if (source) sources.push(source);
    }
    return { sources, lone };
  };
  return { ledger, lists, known, look };
}

const batch = { unit: { kind: 'batch' } } as const;
const keysOf = ({ files }: { files: readonly { key: string }[] }) => files.map(({ key }) => key);

describe('whatever arrives, changes and is taken', () => {
  const name = fc.constantFrom(
    ...[
      'a.tif',
      'a.tfw',
      'a.tif.aux.xml',
      'a.tif.ovr',
      'a.qmd',
      'b.jpg',
      'b.prj',
      'c.shp',
      'c.shx',
      'c.dbf',
      'c.qix',
    ],
    ...['d.las', 'x/a.tif', 'x/a.tfw', 'x/y/b.jpg', 'x/y/b.jgw', 'x/u\u0308.tif', 'u\u0308.tfw', 'notes.txt'],
  );
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        name,
        size: fc.integer({ min: 1, max: 9 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), name }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const) }) },
  );

  it('no file is in two batches, none is forgotten, and what was in one stays in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await using folder = await createWatchedFolder();
        const { ledger, look } = computer(folder.rule(batch));
        const takenAs = new Map<string, string>();
        let jobs = 0;
        for (const one of steps) {
          if (one.kind === 'write') await folder.write(one.name, 'x'.repeat(one.size));
          if (one.kind === 'delete') await rm(join(folder.path, one.name), { force: true });
          const { sources, lone } = await look();
          const found = sources.flatMap((source) => keysOf(source).map((key) => [key, source.path] as const));
          const all = [...found.map(([key]) => key), ...lone.map((place) => place.normalize('NFC'))].sort();
          expect(all).toEqual([...(await filesIn(folder.path))].sort());
          for (const [key, path] of found) expect(takenAs.get(key) ?? path).toBe(path);
          if (one.kind !== 'take' && one.kind !== 'leave') continue;
          for (const source of sources) {
            if (ledger.find('rule', source.path)) continue;
            if (one.kind === 'take') ledger.take('rule', source, `job ${++jobs}`, jobs, false);
            else ledger.skip('rule', [source], 1);
            for (const key of keysOf(source)) takenAs.set(key, source.path);
          }
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .normalize('NFC'),
    );
}

it('a sidecar that comes late, and what is derived from data, goes with its data', async () => {
  await using folder = await createWatchedFolder();
  const { ledger, look } = computer(folder.rule(batch));
  await folder.put('a.tif', 'x/b.las');
  ledger.skip('rule', (await look()).sources, 1);
  const found = async () => (await look()).sources.map((source) => [source.path, keysOf(source)]);
  await folder.put('a.tfw', 'a.tif.aux.xml');
  expect(await found()).toEqual([['./batch-1', ['a.tfw', 'a.tif', 'a.tif.aux.xml', 'x/b.las']]]);
  await folder.put('x/b.lax', 'x/b.copc.laz', 'a.qmd');
  expect(await found()).toEqual([
    ['./batch-1', ['a.qmd', 'a.tfw', 'a.tif', 'a.tif.aux.xml', 'x/b.copc.laz', 'x/b.las', 'x/b.lax']],
  ]);
  await folder.put('x/b.tif', 'c.tfw');
  expect((await found())[1]).toEqual(['./batch-2', ['c.tfw', 'x/b.tif']]);
});

it('what comes by the names of a batch that was moved away is new, also right after a look', async () => {
  await using folder = await createWatchedFolder();
  const { ledger, look } = computer(folder.rule(batch));
  await folder.put('a.tif');
  const [first] = (await look()).sources;
  if (first) ledger.take('rule', first, 'job', 1, false);
  expect((await look()).sources.map(({ path }) => path)).toEqual(['./batch-1']);
  ledger.change('rule', './batch-1', { state: 'complete', movedTo: '/done' });
  await folder.write('a.tif', 'the next day');
  expect((await look()).sources.map(({ path }) => path)).toEqual(['./batch-2']);
});

it('a folder that can’t be read keeps those waiting that have a file in it, and what is new', async () => {
  await using folder = await createWatchedFolder();
  const rule = folder.rule(batch);
  const { known, ledger, look } = computer(rule);
  await folder.put('sub/a.jpg', 'b.jpg');
  ledger.skip('rule', (await look()).sources, 1);
  await folder.put('other/c.jpg');
  ledger.skip('rule', (await look()).sources, 1);
  await folder.put('d.jpg');
  class WithoutSub extends Tree {
    override folder = async (place: string) => (place === 'sub' ? null : super.folder(place));
    override get unreadable() {
      return [{ place: 'sub', reason: 'EACCES' }];
    }
  }
  const tree = new WithoutSub(rule);
  const pause = createPause();
  const { plans } = await batchPlans(await known.look(pause), {
    root: rule.folder,
    tree,
    references: { read: async () => [], hasContent: async () => true },
    pause,
  });
  expect(plans.map(({ place, files, spoiltByAny }) => [place, files, spoiltByAny])).toEqual([
    ['./batch-1', ['b.jpg', 'sub'], false],
    ['./batch-2', ['other/c.jpg'], false],
    ['./batch-3', ['d.jpg'], true],
  ]);
});

describe('computers that share a folder', () => {
  it('agree about what is in a batch, and give the next one the same number', async () => {
    await using folder = await createWatchedFolder();
    const rule = folder.rule({ ...batch, shared: true });
    const [one, other] = [computer(rule), computer(rule)];
    await folder.put('a.jpg', 'b.jpg');
    expect(await one.lists().form(1, ['a.jpg', 'b.jpg'])).toBe(true);
    await folder.put('c.jpg');
    for (const { look } of [one, other]) {
      const { sources } = await look();
      expect(sources.map((source) => [source.path, keysOf(source)])).toEqual([
        ['./batch-1', ['a.jpg', 'b.jpg']],
        ['./batch-2', ['c.jpg']],
      ]);
    }
  });

  it('make no second batch of a file, whatever each has seen of it', async () => {
    await using folder = await createWatchedFolder();
    const rule = folder.rule({ ...batch, shared: true });
    const [one, other] = [computer(rule), computer(rule)];
    expect(await one.lists().form(1, ['a.jpg', 'b.jpg'])).toBe(true);
    // Under the same number it is this batch or none; under another it is none.
    expect(await other.lists().form(1, ['a.jpg', 'b.jpg', 'c.jpg'])).toBe(false);
    expect(await other.lists().form(2, ['b.jpg', 'c.jpg'])).toBe(false);
    expect(await other.lists().form(1, ['a.jpg'])).toBe(true);
    const { gone, last } = await one.lists().read();
    expect([[...gone], last]).toEqual([[2], 2]);
    expect(await other.lists().form(3, ['c.jpg'])).toBe(true);
  });

  it('of two that write at once at most one continues', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const some = fc.uniqueArray(name, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(some, some, fc.boolean(), async (mine, theirs, sameNumber) => {
        await using folder = await createWatchedFolder();
        const rule = folder.rule({ ...batch, shared: true });
        const made = await Promise.all([
          computer(rule).lists().form(1, mine),
          computer(rule)
            .lists()
            .form(sameNumber ? 1 : 2, theirs),
        ]);
        const isSame = sameNumber && theirs.every((one) => mine.includes(one));
        const isOther = sameNumber && mine.every((one) => theirs.includes(one));
        if (mine.some((one) => theirs.includes(one)) && !isSame && !isOther)
          expect(made).not.toEqual([true, true]);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('wait while a list is half there, but not for good', async () => {
    await using folder = await createWatchedFolder();
    const rule = folder.rule({ ...batch, shared: true });
    const { look, known, lists } = computer(rule);
    const list = join(folder.path, '.tilelift/batches/1.json');
    await mkdir(dirname(list), { recursive: true });
    await writeFile(list, '{"version":1,"files":["a.j');
    await folder.put('a.jpg');
    expect((await look()).sources).toEqual([]);
    for (; elapsedMs < defaultTiming.staleClaimMs * 2; elapsedMs += 60_000) await known.look(createPause());
    expect((await look()).sources.map(({ path }) => path)).toEqual(['./batch-2']);
    // Whoever waited for it makes the next one.
    expect(await lists().form(2, ['a.jpg'])).toBe(true);
  });

  it('do not read lists without end that someone has put there', async () => {
    await using folder = await createWatchedFolder();
    const { lists } = computer(folder.rule({ ...batch, shared: true }));
    const known = lists();
    expect(await known.write(1, ['a.tif'])).toBe(true);
    await truncate(join(folder.path, '.tilelift/batches/1.json'), 2 ** 36);
    await expect(known.read()).rejects.toMatchObject({ code: 'watch-claims-unwritable' });
  });

  it('that made batches of one number before they shared keep both apart', async () => {
    await using folder = await createWatchedFolder();
    const rule = folder.rule({ ...batch, shared: true });
    const [one, other] = [computer(rule), computer(rule)];
    await folder.put('a.jpg');
    one.ledger.skip('rule', (await one.look()).sources, 1);
    await rm(join(folder.path, 'a.jpg'));
    await folder.put('b.jpg');
    other.ledger.skip('rule', (await other.look()).sources, 1);
    await folder.put('a.jpg');
    const seen = async ({ look }: typeof one) =>
      (await look()).sources.map((source) => [source.path, keysOf(source)]);
    await seen(one);
    await seen(other);
    const both = [
      ['./batch-1', ['a.jpg']],
      ['./batch-2', ['b.jpg']],
    ];
    expect(await seen(one)).toEqual(both);
    expect(await seen(other)).toEqual(both);
    expect(other.ledger.find('rule', './batch-2')?.state).toBe('skipped');
  });
});
