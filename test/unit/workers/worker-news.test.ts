import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromWorker, WorkerOutcome } from '../../../main/workers/worker-messages.ts';
import { WorkerNews } from '../../../main/workers/worker-news.ts';

const droppedOutcome: WorkerOutcome = { kind: 'dropped' };

describe('WorkerNews', () => {
  let posted: FromWorker[];
  let workerNews: WorkerNews;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
    posted = [];
    workerNews = new WorkerNews((message) => posted.push(message));
  });
  afterEach(() => void vi.useRealTimers());

  /** Orders in each message so far. */
  const sentCounts = () =>
    posted.map((message) => (message.kind === 'news' ? message.outcomes.map(({ id }) => id) : []));
  const turn = () => vi.advanceTimersByTime(0);

  it('WorkerNews batches small files until half of the orders are done', () => {
    for (const [id, countUnderWay] of [
      [1, 7],
      [2, 6],
      [3, 5],
    ] as const)
      workerNews.addOutcome(id, droppedOutcome, true, countUnderWay);
    turn();
    expect(sentCounts()).toEqual([]);
    workerNews.addOutcome(4, droppedOutcome, true, 4);
    turn();
    expect(sentCounts()).toEqual([[1, 2, 3, 4]]);
  });

  it('WorkerNews sends a lone outcome after a few milliseconds', () => {
    workerNews.addOutcome(1, droppedOutcome, true, 7);
    vi.advanceTimersByTime(5);
    expect(sentCounts()).toEqual([[1]]);
  });

  it('WorkerNews sends the last and urgent outcomes immediately with waiting ones', () => {
    workerNews.addOutcome(1, droppedOutcome, true, 0);
    turn();
    expect(sentCounts()).toEqual([[1]]);
    workerNews.addOutcome(2, droppedOutcome, true, 7);
    workerNews.addOutcome(3, droppedOutcome, false, 6);
    turn();
    expect(sentCounts()).toEqual([[1], [2, 3]]);
  });

  it('WorkerNews sends progress ten times a second, and none of finished orders', () => {
    workerNews.noteMoved(1, 10);
    workerNews.noteMoved(2, 5);
    workerNews.noteMoved(1, 20);
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
    workerNews.noteMoved(1, 1);
    workerNews.addOutcome(1, droppedOutcome, false, 1);
    vi.advanceTimersByTime(200);
    expect(posted.slice(1)).toEqual([
      { kind: 'news', sentBytes: [], outcomes: [{ id: 1, kind: 'dropped' }] },
    ]);
  });

  it('WorkerNews sends nothing after close()', () => {
    workerNews.noteMoved(1, 1);
    workerNews.addOutcome(2, droppedOutcome, true, 7);
    workerNews.addOutcome(3, droppedOutcome, false, 7);
    workerNews.close();
    vi.advanceTimersByTime(1_000);
    expect(posted).toEqual([]);
  });
});
