import { expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import type { Page } from '../../../../main/files/pages.ts';
import { readNamed } from '../../../../main/inspect/grouping/read-named.ts';
import { chooseForHeads } from '../../../../main/inspect/headers/choose.ts';
import { lookInside } from '../../../../main/inspect/headers/look-inside.ts';
import type { LookThread } from '../../../../main/inspect/headers/look-thread.ts';
import { type Clock, systemClock } from '../../../../main/outside.ts';

/** Files of a source, and how often they may be asked for their keys in one go. */
const [count, maxInOneGo] = [12_000, 3_000];
/** Nothing takes too long. */
const patient: Clock = { ...systemClock, sleep: () => new Promise(() => {}) };

/** The most that files are asked for their keys between two turns that a page gives. */
async function mostInOneGo(
  endings: readonly string[],
  work: (files: readonly SourceFile[], page: Page) => Promise<unknown>,
): Promise<number> {
  let [asked, most, since] = [0, 0, 0];
  const files = Array.from({ length: count }, (_, at): SourceFile => {
    const key = `block_${at % 12}/tile_${at}.${endings[at % endings.length]}`;
    return {
      ...{ size: 1, mtimeMs: 1, path: `/data/${key}` },
      get key() {
        asked += 1;
        return key;
      },
    };
  });
  const note = () => {
    most = Math.max(most, asked);
    asked = 0;
  };
  const page = {
    isFull: () => ++since % 10 === 0,
    turn: async () => note(),
  };
  await work(files, page);
  note();
  return most;
}

const thread: LookThread = {
  ask: async () => ({ head: null, systemBeside: null, verdict: null }) as never,
  close: () => {},
};

it.each([
  ['rasters', ['tif']],
  ['rasters with files beside them', ['tif', 'tfw', 'TIF.AUX.XML']],
  ['point clouds and pictures', ['las', 'jpg']],
  ['what nobody looks into', ['x', 'y']],
])('what is looked into of thousands of %s is chosen with turns for all else', async (_what, endings) => {
  const chosen: string[] = [];
  const all: SourceFile[] = [];
  const most = await mostInOneGo(endings, async (files, page) => {
    all.push(...files);
    chosen.push(...(await lookInside([files], patient, thread, 1, { page })).keys());
  });
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(maxInOneGo);
  expect(chosen).toHaveLength(endings.includes('x') ? 0 : 20);
  expect(chosen).toEqual(chooseForHeads(all, 20).map(({ key }) => key));
});

it.each([
  ['rasters and a few models', ['obj', ...Array.from({ length: 99 }, () => 'tif')]],
  ['rasters alone', ['tif']],
])('what models name among thousands of %s is looked up with turns for all else', async (_what, endings) => {
  const names = async () => ['tile_1.jpg'];
  const most = await mostInOneGo(endings, (files, page) => readNamed(files, names, patient, page));
  expect(most).toBeLessThanOrEqual(maxInOneGo);
});
