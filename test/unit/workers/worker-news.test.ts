import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromWorker, WorkerOutcome } from '../../../main/workers/worker-messages.ts';
import { WorkerNews } from '../../../main/workers/worker-news.ts';

const over: WorkerOutcome = { kind: 'dropped' };

describe('WorkerNews', () => {
  let posted: FromWorker[];
  let news: WorkerNews;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
    posted = [];
    news = new WorkerNews((message) => posted.push(message));
  });
  afterEach(() => void vi.useRealTimers());

  /** Orders in each message so far. */
  const sentCounts = () =>
    posted.map((message) => (message.kind === 'news' ? message.outcomes.map(({ id }) => id) : []));
  const turn = () => vi.advanceTimersByTime(0);

  it('WorkerNews batches small files until half of the orders are done', () => {
    for (const [id, underWay] of [
      [1, 7],
      [2, 6],
      [3, 5],
    ] as const)
      news.addOutcome(id, over, true, underWay);
    turn();
    expect(sentCounts()).toEqual([]);
    news.addOutcome(4, over, true, 4);
    turn();
    expect(sentCounts()).toEqual([[1, 2, 3, 4]]);
  });

  it('WorkerNews sends a lone outcome after a few milliseconds', () => {
    news.addOutcome(1, over, true, 7);
    vi.advanceTimersByTime(5);
    expect(sentCounts()).toEqual([[1]]);
  });

  it('WorkerNews sends the last and urgent outcomes immediately with waiting ones', () => {
    news.addOutcome(1, over, true, 0);
    turn();
    expect(sentCounts()).toEqual([[1]]);
    news.addOutcome(2, over, true, 7);
    news.addOutcome(3, over, false, 6);
    turn();
    expect(sentCounts()).toEqual([[1], [2, 3]]);
  });

  it('WorkerNews sends progress ten times a second, and none of finished orders', () => {
    news.noteMoved(1, 10);
    news.noteMoved(2, 5);
    news.noteMoved(1, 20);
    vi.advanceTimersByTime(99);
    expect(posted).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(posted).toEqual([
      {
        kind: 'news',
        sentBytes: [
          [1, 30],
          [2, 5],
        ],
        outcomes: [],
      },
    ]);
    news.noteMoved(1, 1);
    news.addOutcome(1, over, false, 1);
    vi.advanceTimersByTime(200);
    expect(posted.slice(1)).toEqual([
      { kind: 'news', sentBytes: [], outcomes: [{ id: 1, kind: 'dropped' }] },
    ]);
  });

  it('WorkerNews sends nothing after close()', () => {
    news.noteMoved(1, 1);
    news.addOutcome(2, over, true, 7);
    news.addOutcome(3, over, false, 7);
    news.close();
    vi.advanceTimersByTime(1_000);
    expect(posted).toEqual([]);
  });
});
