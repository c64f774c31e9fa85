import { afterEach, expect, test, vi } from 'vitest';
import { ScanQueue } from '../../../../main/watch/model/scheduling.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('ScanQueue runs scans one at a time, in order of request, also after a failure', async () => {
  const queue = new ScanQueue();
  const begun: number[] = [];
  const first = Promise.withResolvers<string>();
  const scan = (number: number, work: () => Promise<string>) =>
    queue.run(() => {
      begun.push(number);
      return work();
    });
  const scans = [
    scan(1, () => first.promise),
    scan(2, () => Promise.reject(new Error('away'))),
    scan(3, async () => 'c'),
  ];
  const results = Promise.allSettled(scans);
  await vi.waitFor(() => expect(begun).toEqual([1]));
  first.resolve('a');
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(begun).toEqual([1, 2, 3]);
});

test('ScanQueue starts the next scan if one takes long', async () => {
  vi.useFakeTimers();
  const queue = new ScanQueue();
  void queue.run(() => new Promise(() => {}));
  const second = queue.run(async () => 'second');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await second).toBe('second');
});
