import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { createPage, inSlices, sortInPages, textsInPages } from '../../../main/files/pages.ts';

afterEach(() => void vi.restoreAllMocks());

/** ms; it never goes back, from one test to the next neither. Each look at the clock takes a while. */
let now = performance.now();
const lookMs = 0.02;

/** The most that is done between two turns of the thread. */
async function mostInTurn(work: (done: () => void) => Promise<unknown>): Promise<number> {
  vi.spyOn(performance, 'now').mockImplementation(() => (now += lookMs));
  let [count, most, isOver] = [0, 0, false];
  const watch = async () => {
    while (!isOver) {
      most = Math.max(most, count);
      count = 0;
      await setImmediate();
    }
  };
  const watching = watch();
  await work(() => {
    count += 1;
  });
  isOver = true;
  await watching;
  return Math.max(most, count);
}

const inPages = async (count: number, done: () => void) => {
  const page = createPage();
  for (let at = 0; at < count; at++) {
    done();
    if (page.isFull()) await page.turn();
  }
};

it('pages that are under way together share the time of a turn', async () => {
  const alone = await mostInTurn((done) => inPages(2_000, done));
  const together = await mostInTurn((done) =>
    Promise.all(Array.from({ length: 5 }, () => inPages(2_000, done))),
  );
  expect(alone).toBeGreaterThan(10);
  expect(together).toBeLessThanOrEqual(alone + 10);
});

it('work that begins where other work ended goes on with its page', async () => {
  const alone = await mostInTurn((done) => inPages(2_000, done));
  const steps = await mostInTurn(async (done) => {
    for (let step = 0; step < 100; step++) await inPages(100, done);
  });
  expect(steps).toBeLessThanOrEqual(alone + 10);
});

it('a slice that takes long is the only one of its turn', async () => {
  const slow = async (done: () => void) => {
    for await (const some of inSlices(Array.from({ length: 2_000 }, (_, at) => at))) {
      done();
      now += some.length;
    }
  };
  expect(await mostInTurn(slow)).toBe(1);
});

it('a text of many names is taken apart page by page', async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `tile_${at}.tif`);
  let [since, most] = [0, 0];
  const page = {
    isFull: () => ++since >= 10,
    turn: async () => {
      most = Math.max(most, since);
      since = 0;
    },
  };
  expect(await textsInPages(names.map((name) => `${name}\0`).join(''), page)).toEqual(names);
  expect(await textsInPages('', page)).toEqual([]);
  expect(most).toBe(10);
});

it('what is in order already is not copied', async () => {
  const names = Array.from({ length: 5_000 }, (_, at) => String(at).padStart(4, '0'));
  expect(await sortInPages(names, (name) => name, createPage())).toBe(names);
  expect(await sortInPages([], (name) => name, createPage())).toEqual([]);
});

it.each([2, 1_000, 1_001, 2_500, 4_001])(
  '%i things are sorted, those with the same text as they came',
  async (count) => {
    const all = Array.from({ length: count }, (_, at) => ({ text: String((at * 7_919) % 613), at }));
    const before = all.map(({ at }) => at);
    const sorted = await sortInPages(all, ({ text }) => text, createPage());
    expect(sorted).toEqual(all.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)));
    expect(all.map(({ at }) => at)).toEqual(before);
  },
);
