import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import type { SourceFile } from '../../../main/files/model.ts';
import type { Look } from '../../../main/inspect/headers/look-inside.ts';
import { inspectSource } from '../../../main/inspect/inspect-source.ts';

afterEach(() => void vi.restoreAllMocks());

/** ms. It never goes back, from one test to the next neither. */
let now = performance.now();

/** How often files may be asked for their keys in one go: no step goes through all of them. */
const [count, maxInOneGo] = [12_000, 3_000];

/** One is a raster that lies nowhere, one names another file: both are looked up among all names. */
const seen = ['block_0/tile_0.tif', 'block_2/tile_2.obj'];
const lookOf = (key: string): Look => ({
  ...{ key, systemBeside: 'EPSG:25832', verdict: null, names: key.endsWith('.obj') ? ['town.mtl'] : [] },
  head: key.endsWith('.tif') ? (raster as Look['head']) : null,
});
const raster = {
  ...{ kind: 'tiff', system: null, vertical: null, corners: null, unplaced: true },
  ...{ bands: 1, bits: 8, samples: 'integer', photometric: 1 },
};

it.each([
  ['of two kinds', ['tif', 'las']],
  ['of many kinds', ['tif', 'las', 'obj', 'jpg', 'pdf', 'gml', 'zip']],
  ['of none', ['x', 'y']],
])(
  'what was dropped is told with other work in between, however many files %s it has',
  async (_what, endings) => {
    let [asked, most, isOver] = [0, 0, false];
    const files = Array.from({ length: count }, (_, at): SourceFile => {
      const key = `block_${at % 12}/tile_${at}.${endings[at % endings.length]}`;
      return {
        ...{ size: at, mtimeMs: 1, path: `/data/${key}` },
        get key() {
          asked += 1;
          return key;
        },
      };
    });
    // Whoever asks whether a page is full is told so after a few files, on a fast machine too.
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.02));
    const watch = async () => {
      while (!isOver) {
        most = Math.max(most, asked);
        asked = 0;
        await setImmediate();
      }
    };
    const watching = watch();
    const source = await inspectSource(['/data'], {
      scan: async () => ({ files, bytes: 0, ignored: [] }),
      // One was looked at: what was seen is asked for of each file.
      lookInside: async () => new Map(['x', ...seen].map((key) => [key, lookOf(key)])),
    });
    isOver = true;
    await watching;
    most = Math.max(most, asked);
    expect(source.allPieces.length).toBeGreaterThan(0);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(maxInOneGo);
  },
);
