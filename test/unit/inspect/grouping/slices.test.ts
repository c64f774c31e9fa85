import { expect, it } from 'vitest';
import type { KeyedFiles } from '../../../../main/inspect/grouping/natures.ts';
import { propose } from '../../../../main/inspect/grouping/propose.ts';
import { sortByKind } from '../../../../main/inspect/grouping/units.ts';

/** Files of a source, and how often a map or set may be asked in one go. */
const [count, maxInOneGo] = [6_000, 500];
const each = (keyOf: (at: number) => string) => Array.from({ length: count }, (_, at) => keyOf(at));

/**
 * The most that maps and sets are asked between two chances of everything else; each file is looked up in
 * some at every step.
 */
async function mostInOneGo(files: KeyedFiles): Promise<number> {
  let [asked, most, isOver] = [0, 0, false];
  const page = {
    isFull: () => {
      if (!isOver) most = Math.max(most, asked);
      asked = 0;
      return false;
    },
    turn: async () => {},
  };
  const undo = [Map.prototype, Set.prototype].map((prototype) => {
    const { has } = prototype;
    prototype.has = function (this: never, key: unknown) {
      asked += 1;
      return has.call(this, key);
    };
    return () => {
      prototype.has = has;
    };
  });
  const { get } = Map.prototype;
  Map.prototype.get = function (key: unknown) {
    asked += 1;
    return get.call(this, key);
  };
  try {
    const sight = { kindOf: () => undefined, isPlacedPhoto: () => undefined };
    await propose(files, await sortByKind(files, sight, page), { several: true, isWhole: () => false }, page);
    most = Math.max(most, asked);
  } finally {
    isOver = true;
    Map.prototype.get = get;
    for (const one of undo) one();
  }
  return most;
}

it.each([
  ['in one folder', each((at) => `b/${at}.tif`)],
  ['in a folder each', each((at) => `b/${at}/${at}.laz`)],
  ['with sidecars', each((at) => `b/${at >> 1}.${at % 2 ? 'tfw' : 'tif'}`)],
  ['of a model', ['b/k.obj', ...each((at) => `b/t/${at}.jpg`)]],
  ['of a tileset', ['b/tileset.json', ...each((at) => `b/${at}/0.b3dm`)]],
  ['of a KML', ['b/doc.kml', ...each((at) => `b/m/${at}.dae`)]],
  ['of photos and documents', each((at) => `b/${at}.${at % 2 ? 'jpg' : 'pdf'}`)],
])('thousands of files %s are sorted with chances for other work in between', async (_what, keys) => {
  const most = await mostInOneGo(keys.map((key) => ({ key })));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(maxInOneGo);
});

it('takes a tileset of more files than fit into one call', async () => {
  const keys = ['b/tileset.json', ...Array.from({ length: 200_000 }, (_, at) => `b/t/${at}.b3dm`)];
  const files = keys.map((key) => ({ key }));
  const { units } = await sortByKind(files, { kindOf: () => undefined, isPlacedPhoto: () => undefined });
  expect(units.map((unit) => unit.files.length)).toEqual([200_001]);
});
