import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { batchPlans } from '../../../../main/watch/scan/batches.ts';
import { toSource } from '../../../../main/watch/scan/found-source.ts';
import { Tree } from '../../../../main/watch/scan/tree.ts';
import { createLedger } from '../../../../main/watch/state/ledger/ledger.ts';
import { createKnownBatches } from '../../../../main/watch/state/scan-options.ts';
import { createPause } from '../../../../main/work-line.ts';
import { createWatchedFolder } from '../watched-folder.ts';

/** Creates one computer’s ledger and a function that scans the folder with it. */
function computer(rule: WatchRule) {
  const ledger = createLedger(openDatabase(':memory:'), 'journal.db');
  const known = createKnownBatches(rule, { ledger, rules: () => [rule] });
  const runScan = async () => {
    const pause = createPause();
    const tree = new Tree(rule);
    const plans = await batchPlans(await known(pause), {
      root: rule.folder,
      tree,
      references: noReferences,
      pause,
    });
    const sources = [];
    for (const plan of plans) {
      const source = await toSource(rule.folder, plan, tree, pause);
      if (source) sources.push(source);
    }
    return sources;
  };
  return { ledger, known, runScan };
}

const noReferences = { read: async () => [], hasContent: async () => true, readBeginning: async () => null };
const batch = { unit: { kind: 'batch' } } as const;
const keysOf = ({ files }: { files: readonly { key: string }[] }) => files.map(({ key }) => key);

describe('batches after any arrivals, changes and uploads', () => {
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

  it('contain each file at most once, all data, and keep it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await using folder = await createWatchedFolder();
        const { ledger, runScan } = computer(folder.rule(batch));
        const takenAs = new Map<string, string>();
        let jobs = 0;
        for (const one of steps) {
          if (one.kind === 'write') await folder.write(one.name, 'x'.repeat(one.size));
          if (one.kind === 'delete') await rm(join(folder.path, one.name), { force: true });
          const sources = await runScan();
          const found = sources.flatMap((source) => keysOf(source).map((key) => [key, source.path] as const));
          const keys = found.map(([key]) => key);
          const files = await filesIn(folder.path);
          expect(new Set(keys).size).toBe(keys.length);
          expect(files).toEqual(expect.arrayContaining(keys));
          // Sidecars may wait for their data.
          expect(keys).toEqual(
            expect.arrayContaining(files.filter((key) => /\.(?:tif|jpg|shp|las|txt)$/.test(key))),
          );
          for (const [key, path] of found) expect(takenAs.get(key) ?? path).toBe(path);
          if (one.kind !== 'take' && one.kind !== 'leave') continue;
          for (const source of sources) {
            if (ledger.find('rule', source.path)) continue;
            if (one.kind === 'take') ledger.take('rule', source, `job ${++jobs}`, jobs, false);
            else ledger.markSkipped('rule', [source], 1);
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

it('adds late sidecars and derived files to the batch of their data', async () => {
  await using folder = await createWatchedFolder();
  const { ledger, runScan } = computer(folder.rule(batch));
  await folder.put('a.tif', 'x/b.las');
  ledger.markSkipped('rule', await runScan(), 1);
  const found = async () => (await runScan()).map((source) => [source.path, keysOf(source)]);
  await folder.put('a.tfw', 'a.tif.aux.xml');
  expect(await found()).toEqual([['./batch-1', ['a.tfw', 'a.tif', 'a.tif.aux.xml', 'x/b.las']]]);
  await folder.put('x/b.lax', 'x/b.copc.laz', 'a.qmd');
  expect(await found()).toEqual([
    ['./batch-1', ['a.qmd', 'a.tfw', 'a.tif', 'a.tif.aux.xml', 'x/b.copc.laz', 'x/b.las', 'x/b.lax']],
  ]);
  await folder.put('x/b.tif', 'c.tfw');
  expect((await found())[1]).toEqual(['./batch-2', ['c.tfw', 'x/b.tif']]);
});

it('puts files with the names of a moved batch into a new one, even right after a scan', async () => {
  await using folder = await createWatchedFolder();
  const { ledger, runScan } = computer(folder.rule(batch));
  await folder.put('a.tif');
  const [first] = await runScan();
  if (first) ledger.take('rule', first, 'job', 1, false);
  expect((await runScan()).map(({ path }) => path)).toEqual(['./batch-1']);
  ledger.change('rule', './batch-1', { state: 'complete', movedTo: '/done' });
  await folder.write('a.tif', 'the next day');
  expect((await runScan()).map(({ path }) => path)).toEqual(['./batch-2']);
});

it('delays new batches and those with files in an unreadable folder', async () => {
  await using folder = await createWatchedFolder();
  const rule = folder.rule(batch);
  const { known, ledger, runScan } = computer(rule);
  await folder.put('sub/a.jpg', 'b.jpg');
  ledger.markSkipped('rule', await runScan(), 1);
  await folder.put('other/c.jpg');
  ledger.markSkipped('rule', await runScan(), 1);
  await folder.put('d.jpg');
  class WithoutSub extends Tree {
    override folder = async (place: string) => (place === 'sub' ? null : super.folder(place));
    override get unreadable() {
      return [{ place: 'sub', reason: 'EACCES' }];
    }
  }
  const tree = new WithoutSub(rule);
  const pause = createPause();
  const plans = await batchPlans(await known(pause), {
    root: rule.folder,
    tree,
    references: noReferences,
    pause,
  });
  expect(plans.map(({ place, files, spoiltByAny }) => [place, files, spoiltByAny])).toEqual([
    ['./batch-1', ['b.jpg', 'sub'], false],
    ['./batch-2', ['other/c.jpg'], false],
    ['./batch-3', ['d.jpg'], true],
  ]);
});
