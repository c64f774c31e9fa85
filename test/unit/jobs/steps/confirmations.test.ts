import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Confirmation } from '../../../../main/jobs/journal/journal-model.ts';
import { createConfirmations } from '../../../../main/jobs/steps/confirmations.ts';

const part = (number: number): Confirmation => ({ fileId: 1, part: { number, size: 1, etag: 'e' } });
const wholeFile: Confirmation = { fileId: 1, part: null };

/** `confirm` stands for the journal's write of each batch, which takes time by the clock. */
function setUp(confirm: (batch: readonly Confirmation[]) => void = () => {}) {
  const batches: (readonly Confirmation[])[] = [];
  const confirmations = createConfirmations(
    {
      confirm: (batch) => {
        confirm(batch);
        batches.push(batch);
      },
    },
    { elapsed: () => Date.now() },
  );
  return { confirmations, batches };
}

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: false, now: 0 }));

afterEach(() => void vi.useRealTimers());

const nextTurn = () => vi.advanceTimersByTimeAsync(0);

it('confirmations share a transaction in their order when they arrive together', async () => {
  const { confirmations, batches } = setUp();
  const added = [confirmations.add(part(1)), confirmations.add(part(2)), confirmations.add(wholeFile)];
  await nextTurn();
  await Promise.all(added);
  expect(batches).toEqual([[part(1), part(2), wholeFile]]);
});

it('confirmations resolve only once they are in the journal', async () => {
  const { confirmations, batches } = setUp();
  let isCounted = false;
  const added = confirmations.add(part(1)).then(() => {
    isCounted = true;
    expect(batches).toHaveLength(1);
  });
  await Promise.resolve();
  expect(isCounted).toBe(false);
  await nextTurn();
  await added;
});

it('confirmations reject when the journal fails, and the next ones are tried again', async () => {
  let isFull = true;
  const { confirmations, batches } = setUp(() => {
    if (isFull) throw new Error('full');
  });
  const added = Promise.allSettled([confirmations.add(part(1)), confirmations.add(part(2))]);
  await nextTurn();
  const refusedResults = await added;
  expect(refusedResults.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isFull = false;
  const nextPart = confirmations.add(part(3));
  await vi.advanceTimersByTimeAsync(20);
  await nextPart;
  expect(batches).toEqual([[part(3)]]);
});

it('confirmations share a transaction for 20 ms while they keep coming', async () => {
  const { confirmations, batches } = setUp();
  const batchSizes: number[] = [];
  for (let number = 1; number <= 200; number++) {
    void confirmations.add(part(number)).then(() => batchSizes.push(number));
    await vi.advanceTimersByTimeAsync(1);
    expect(batchSizes).toHaveLength(batches.flat().length);
  }
  await vi.advanceTimersByTimeAsync(20);
  expect(batches.map(({ length }) => length)).toEqual([1, 19, ...Array<number>(9).fill(20)]);
  expect(batchSizes).toHaveLength(200);
});

it('confirmations are written immediately after an idle time', async () => {
  const { confirmations, batches } = setUp();
  for (const number of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(20);
    void confirmations.add(part(number));
    await nextTurn();
    expect(batches).toHaveLength(number);
  }
});

it.each([
  { took: 10, wait: 40 },
  { took: 1_000, wait: 100 },
])('confirmations wait $wait ms after a transaction of $took ms to spare the disk', async (timing) => {
  const { confirmations, batches } = setUp(() => vi.setSystemTime(Date.now() + timing.took));
  void confirmations.add(part(1));
  await nextTurn();
  void confirmations.add(part(2));
  await vi.advanceTimersByTimeAsync(timing.wait - 1);
  expect(batches).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(batches).toHaveLength(2);
});

it('confirmations are written immediately on flush()', async () => {
  const { confirmations, batches } = setUp();
  const added = confirmations.add(part(1));
  confirmations.flush();
  expect(batches).toHaveLength(1);
  await added;
  expect(batches).toHaveLength(1);
});
