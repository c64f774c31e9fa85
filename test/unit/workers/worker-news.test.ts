import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromWorker, WorkerOutcome } from '../../../main/workers/worker-messages.ts';
import { WorkerNews } from '../../../main/workers/worker-news.ts';

const over: WorkerOutcome = { kind: 'dropped' };

describe('what an upload worker tells', () => {
  let posted: FromWorker[];
  let news: WorkerNews;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
    posted = [];
    news = new WorkerNews((message) => posted.push(message));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Numbers of the orders in each message so far. */
  const told = () =>
    posted.map((message) => (message.kind === 'news' ? message.outcomes.map(({ id }) => id) : []));
  const turn = () => vi.advanceTimersByTime(0);

  it('tells of small files together, once half of the orders are over', () => {
    for (const [id, underWay] of [
      [1, 7],
      [2, 6],
      [3, 5],
    ] as const)
      news.addOutcome(id, over, true, underWay);
    turn();
    expect(told()).toEqual([]);
    news.addOutcome(4, over, true, 4);
    turn();
    expect(told()).toEqual([[1, 2, 3, 4]]);
  });

  it('tells after a few milliseconds of those that nothing joins', () => {
    news.addOutcome(1, over, true, 7);
    vi.advanceTimersByTime(5);
    expect(told()).toEqual([[1]]);
  });

  it('tells at once of the last order, and of what may not wait together with what waits', () => {
    news.addOutcome(1, over, true, 0);
    turn();
    expect(told()).toEqual([[1]]);
    news.addOutcome(2, over, true, 7);
    news.addOutcome(3, over, false, 6);
    turn();
    expect(told()).toEqual([[1], [2, 3]]);
  });

  it('tells of movement ten times a second, and of none of what is over', () => {
    news.moved(1, 10);
    news.moved(2, 5);
    news.moved(1, 20);
    vi.advanceTimersByTime(99);
    expect(posted).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(posted).toEqual([
      {
        kind: 'news',
        sent: [
          [1, 30],
          [2, 5],
        ],
        outcomes: [],
      },
    ]);
    news.moved(1, 1);
    news.addOutcome(1, over, false, 1);
    vi.advanceTimersByTime(200);
    expect(posted.slice(1)).toEqual([{ kind: 'news', sent: [], outcomes: [{ id: 1, kind: 'dropped' }] }]);
  });

  it('tells nothing more once it is closed', () => {
    news.moved(1, 1);
    news.addOutcome(2, over, true, 7);
    news.addOutcome(3, over, false, 7);
    news.close();
    vi.advanceTimersByTime(1_000);
    expect(posted).toEqual([]);
  });
});
