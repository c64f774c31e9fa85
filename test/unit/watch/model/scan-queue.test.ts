import { expect, test, vi } from 'vitest';
import { ScanQueue } from '../../../../main/watch/model/scheduling.ts';

/** Creates a ScanQueue whose clock the test advances. */
function turnsWith(onScanned: () => void = () => {}) {
  const passing: (() => void)[] = [];
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      passing.push(resolve);
    });
  const timePasses = () => {
    for (const pass of passing.splice(0)) pass();
  };
  return { turns: new ScanQueue({ sleep }, onScanned), timePasses };
}

const never = new AbortController().signal;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Requests a turn and records whether it has begun. */
function asks(turns: ScanQueue, signal = never) {
  const asked = { hasBegun: false, turn: turns.acquire(signal) };
  asked.turn.then(
    () => {
      asked.hasBegun = true;
    },
    () => {},
  );
  return asked;
}

test('ScanQueue runs scans one at a time, in order of request', async () => {
  const { turns } = turnsWith();
  const [first, second, third] = [asks(turns), asks(turns), asks(turns)];
  await settled();
  expect([first.hasBegun, second.hasBegun, third.hasBegun]).toEqual([true, false, false]);
  (await first.turn).end(1);
  await settled();
  expect([second.hasBegun, third.hasBegun]).toEqual([true, false]);
  (await second.turn).end(1);
  await settled();
  expect(third.hasBegun).toBe(true);
});

test('ScanQueue starts the next scan if one takes long', async () => {
  const { turns, timePasses } = turnsWith();
  const [first, second] = [asks(turns), asks(turns)];
  await settled();
  expect([first.hasBegun, second.hasBegun]).toEqual([true, false]);
  timePasses();
  await settled();
  expect(second.hasBegun).toBe(true);
});

test('ScanQueue rejects an aborted request at once and continues with the next', async () => {
  const { turns } = turnsWith();
  const off = new AbortController();
  const [first, second, third] = [asks(turns), asks(turns, off.signal), asks(turns)];
  await settled();
  off.abort(new Error('off'));
  await expect(second.turn).rejects.toThrow('off');
  (await first.turn).end(1);
  await settled();
  expect(third.hasBegun).toBe(true);
});

test('ScanQueue calls onScanned once after all scans of many files have ended', async () => {
  const onScanned = vi.fn();
  const { turns } = turnsWith(onScanned);
  const [first, second] = [asks(turns), asks(turns)];
  (await first.turn).end(6_000);
  expect(onScanned).not.toHaveBeenCalled();
  (await second.turn).end(10);
  expect(onScanned).toHaveBeenCalledOnce();
  (await asks(turns).turn).end(4_000);
  expect(onScanned).toHaveBeenCalledOnce();
});
