import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { inspectSource } from '../../../main/source/inspect-source.ts';
import type { SourceFile } from '../../../main/source/model.ts';

afterEach(() => void vi.restoreAllMocks());

/** Of all files no more is done in one go than to go through them twice. */
const [count, maxPasses] = [12_000, 2];

it('what was dropped is told with other work in between, however many files it has', async () => {
  let [asked, most, isOver] = [0, 0, false];
  const files = Array.from({ length: count }, (_, at): SourceFile => {
    const key = `block_${at % 12}/tile_${at}.${at % 2 ? 'las' : 'tif'}`;
    return {
      ...{ size: at, mtimeMs: 1, path: `/data/${key}` },
      get key() {
        asked += 1;
        return key;
      },
    };
  });
  // Whoever asks whether a page is full is told so after a few files, on a fast machine too.
  let now = 0;
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
    lookInside: async () => new Map(),
  });
  isOver = true;
  await watching;
  expect(source.separate).toHaveLength(2);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(maxPasses * count);
});
