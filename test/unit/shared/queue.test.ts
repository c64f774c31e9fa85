import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byTurn, movedPlaces, queueSecondsLeft } from '../../../shared/queue.ts';
import { job } from '../desktop/stand-ins.ts';

interface Job {
  readonly id: string;
  readonly place: number;
}

const queueOf = (...ids: string[]): Job[] => ids.map((id, index) => ({ id, place: (index + 1) * 3 }));
const inOrder = (queue: readonly Job[]) => queue.toSorted((a, b) => a.place - b.place).map(({ id }) => id);
const move = (queue: readonly Job[], ids: readonly string[], successor: string | null): readonly Job[] => {
  const places = movedPlaces(queue, new Set(ids), successor);
  return queue.map(({ id, place }) => ({ id, place: places.get(id) ?? place }));
};

describe('queueSecondsLeft()', () => {
  const sending = job({ bytesTotal: 1_000, bytesDone: 400, bytesPerSecond: 100, secondsLeft: 6 });
  const queued = job({ status: 'queued', waitingFor: 'turn', expected: { files: 1, bytes: 3_000 } });

  it('queueSecondsLeft() divides the bytes of all coming uploads by the current speed', () => {
    expect(queueSecondsLeft([sending])).toBe(6);
    expect(queueSecondsLeft([sending, queued, sending])).toBe(21);
  });

  it('queueSecondsLeft() is never shorter than the longest upload', () => {
    expect(queueSecondsLeft([sending, { ...sending, secondsLeft: 90 }])).toBe(90);
  });

  it('queueSecondsLeft() ignores uploads that wait for a user, a drive or the network, and ended ones', () => {
    const otherJobs = [
      { ...queued, status: 'paused' as const, waitingFor: null },
      ...(['sign-in', 'source', 'network', 'confirmation', 'terrain'] as const).map((waitingFor) => ({
        ...queued,
        waitingFor,
      })),
      { ...sending, status: 'tiling' as const },
      { ...sending, status: 'failed' as const },
    ];
    expect(queueSecondsLeft([sending, ...otherJobs])).toBe(6);
  });

  it('queueSecondsLeft() is unknown while nothing is sent or a size is unknown', () => {
    expect(queueSecondsLeft([queued])).toBeNull();
    expect(queueSecondsLeft([sending, { ...queued, expected: null }])).toBeNull();
  });
});

it.each([
  [['c'], 'a', ['c', 'a', 'b', 'd']],
  [['a'], null, ['b', 'c', 'd', 'a']],
  [['a', 'c'], 'd', ['b', 'a', 'c', 'd']],
  // Independent of selection order.
  [['c', 'a'], 'd', ['b', 'a', 'c', 'd']],
  // Before one of themselves: its place.
  [['b', 'c'], 'c', ['a', 'b', 'c', 'd']],
  // A started job is ahead already.
  [['c'], 'begun', ['c', 'a', 'b', 'd']],
  [['unknown'], 'a', ['a', 'b', 'c', 'd']],
])('movedPlaces() moves %j before %j to %j', (ids, successor, expected) => {
  expect(inOrder(move(queueOf('a', 'b', 'c', 'd'), ids, successor))).toEqual(expected);
});

it('movedPlaces() changes nothing without a move', () => {
  expect(movedPlaces(queueOf('a', 'b', 'c'), new Set(['b']), 'c').size).toBe(0);
});

it('movedPlaces() keeps every job once at existing places', () => {
  const id = fc.integer({ min: 0, max: 14 }).map(String);
  const step = fc.oneof(
    fc.record({ ids: fc.array(id), before: fc.option(id) }),
    fc.record({ ends: id }),
    fc.constant('restart' as const),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.array(step), (count, steps) => {
      let queue: readonly Job[] = queueOf(...Array.from({ length: count }, (_, index) => String(index)));
      for (const item of steps) {
        const previous = queue;
        if (item === 'restart') queue = queue.toReversed();
        else if ('ends' in item) queue = queue.filter((job) => job.id !== item.ends);
        else {
          queue = move(queue, item.ids, item.before);
          const stillQueued = previous.filter((job) => !item.ids.includes(job.id));
          expect(inOrder(queue).filter((queuedId) => !item.ids.includes(queuedId))).toEqual(
            inOrder(stillQueued),
          );
          expect(queue.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual(
            previous.map(({ place }) => place).toSorted((a, b) => a - b),
          );
        }
        expect(new Set(queue.map(({ place }) => place)).size).toBe(queue.length);
        expect(new Set(inOrder(queue)).size).toBe(queue.length);
      }
    }),
  );
});

it('turns prefer valid credentials, then started jobs, then queue places', () => {
  const jobs = [
    { status: 'queued', place: 1 },
    { status: 'creating', place: 3 },
    { status: 'queued', place: 0 },
    { status: 'uploading', place: 9 },
    { status: 'paused', place: 2 },
  ] as const;
  expect(jobs.toSorted(byTurn).map(({ place }) => place)).toEqual([9, 3, 0, 1, 2]);
});
