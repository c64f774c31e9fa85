import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import { ledgerStates } from '../../../../main/watch/model/records.ts';
import type { Decision } from '../../../../main/watch/state/decide.ts';
import {
  gone,
  isPassing,
  ledgerFieldsAfter,
  mayTryAnother,
  next,
  queued,
  refusedAlone,
  refusedAtAfter,
  type SourceEvent,
  type SourceState,
  settling,
  stateOf,
  waiting,
} from '../../../../main/watch/state/source-state.ts';
import { foundSource, requested, rowOf } from '../found-sources.ts';

const decisions: readonly Decision[] = [
  { kind: 'take', isRetry: false },
  { kind: 'take', isRetry: true },
  { kind: 'known' },
  { kind: 'renamed', previousPath: 'old' },
  { kind: 'touched' },
  { kind: 'compare', rows: [] },
  { kind: 'later', retryAt: 5 },
  { kind: 'hold', why: 'changed' },
  { kind: 'leave', why: 'under-way' },
  { kind: 'leave', why: 'rule-leaves-changed' },
];
const inProgress: SourceState = { kind: 'in-progress' };
const done = { kind: 'done' } as const;
const unwanted = { kind: 'skipped', why: 'unwanted' } as const;
const noData: SourceState = { kind: 'skipped', why: 'no-data' };
const failed = (retry: 'time' | 'change' | 'user') =>
  ({ kind: 'failed', retry, retryAt: retry === 'time' ? 5 : null }) as const;
const held: SourceState = { kind: 'held', why: 'changed', skipState: 'done' };
const results = [
  ...(['ready', 'unfinished', 'not-ready', 'elsewhere', 'unreadable', 'findings'] as const),
  ...(['kind-undecided', 'no-data'] as const),
];

const states: readonly SourceState[] = [
  ...[settling, queued, inProgress, done, unwanted, noData, held, gone],
  ...(['time', 'change', 'user'] as const).map(failed),
  ...(['comparing', 'same-source', 'unreadable', 'not-ready', 'elsewhere', 'requested'] as const).map(
    waiting,
  ),
];
const events: readonly SourceEvent[] = [
  ...decisions.flatMap((decision) =>
    [true, false].map((isFinished) => ({ kind: 'seen', decision, isFinished }) as const),
  ),
  ...(['upload', 'leave', 'retry', 'dismiss'] as const).map(
    (choice) => ({ kind: 'user-decided', choice }) as const,
  ),
  ...results.map((result) => ({ kind: 'inspected', result }) as const),
  ...(['renamed', 'vanished', 'slot-free', 'rule-changed', 'folder-unavailable'] as const).map((kind) => ({
    kind,
  })),
  ...[done, ...(['time', 'change', 'user'] as const).map(failed)].map(
    (end) => ({ kind: 'job-ended', end }) as const,
  ),
];
const take: SourceEvent = { kind: 'seen', decision: { kind: 'take', isRetry: false }, isFinished: false };
const takeFinished: SourceEvent = { ...take, isFinished: true };
const hold: SourceEvent = { kind: 'seen', decision: { kind: 'hold', why: 'changed' }, isFinished: true };
const through = (state: SourceState, ...path: readonly SourceEvent[]) => path.reduce(next, state);

describe('next()', () => {
  it('moves a source from settling to its job', () => {
    const way = [take, { kind: 'inspected', result: 'ready' }, takeFinished, { kind: 'slot-free' }] as const;
    expect(through(gone, ...way)).toEqual(inProgress);
  });

  it('settles a changed source again, and holds it only once it is finished', () => {
    const changing: SourceEvent = { ...hold, isFinished: false };
    expect(next(done, changing)).toEqual(settling);
    expect(through(done, changing, hold)).toMatchObject({ kind: 'held', why: 'changed' });
  });

  it('waits for a job of the same data and for unreadable sources', () => {
    const leave: SourceEvent = {
      kind: 'seen',
      decision: { kind: 'leave', why: 'under-way' },
      isFinished: false,
    };
    expect(next(gone, leave)).toEqual(waiting('same-source'));
    expect(through(gone, leave, take)).toEqual(settling);
    expect(through(gone, { kind: 'inspected', result: 'unreadable' }, take)).toEqual(settling);
  });

  it('retries on time or on request, and dismisses only sources without a retry time', () => {
    expect(next(failed('time'), { kind: 'slot-free' })).toEqual(inProgress);
    expect(next(failed('user'), { kind: 'slot-free' })).toEqual(failed('user'));
    expect(next(failed('change'), { kind: 'user-decided', choice: 'retry' })).toEqual(waiting('requested'));
    expect(next(failed('change'), { kind: 'user-decided', choice: 'dismiss' })).toEqual(unwanted);
    expect(next(failed('time'), { kind: 'user-decided', choice: 'dismiss' })).toEqual(failed('time'));
  });

  it('marks a vanished source as gone, and settles it once it reappears', () => {
    for (const state of states)
      expect(next(state, { kind: 'vanished' })).toEqual(state === inProgress ? inProgress : gone);
    expect(next(gone, take)).toEqual(settling);
  });

  it.each(['folder-unavailable', 'rule-changed'] as const)('keeps only persisted states after %s', (kind) => {
    for (const state of states)
      expect(next(state, { kind })).toEqual(isPassing(state) || state === noData ? gone : state);
  });

  it('ends a job only of a source in progress', () => {
    for (const state of states)
      expect(next(state, { kind: 'job-ended', end: done })).toEqual(state === inProgress ? done : state);
  });

  it('uploads or leaves only held sources', () => {
    for (const state of states) {
      const decide = (choice: 'upload' | 'leave') => next(state, { kind: 'user-decided', choice });
      expect(decide('upload')).toEqual(state === held ? waiting('requested') : state);
      expect(decide('leave')).toEqual(state === held ? done : state);
    }
  });
});

describe('next() for any events', () => {
  const anyEvents = fc.array(fc.constantFrom(...events), { maxLength: 40 });

  it('returns a valid state for every event', () => {
    const kinds = new Set(states.map(({ kind }) => kind));
    for (const state of states) for (const event of events) expect(kinds).toContain(next(state, event).kind);
  });

  it('starts one job at a time, only with a free slot, and only its end ends it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...states), anyEvents, (first, sequence) => {
        let state = first;
        for (const event of sequence) {
          const after = next(state, event);
          if (state.kind !== 'in-progress' && after.kind === 'in-progress') {
            expect(event.kind).toBe('slot-free');
            expect(['queued', 'failed']).toContain(state.kind);
          }
          if (state.kind === 'in-progress' && event.kind !== 'job-ended') expect(after).toEqual(state);
          state = after;
        }
      }),
    );
  });

  it('never queues a done or held source without a decision, nor drops an open question', () => {
    fc.assert(
      fc.property(fc.constantFrom(...states), anyEvents, (first, sequence) => {
        let state = first;
        for (const event of sequence) {
          const after = next(state, event);
          if (after.kind === 'queued' && !isPassing(state)) {
            const finished = { kind: 'seen', decision: { kind: 'take' }, isFinished: true };
            expect(event).toMatchObject(finished);
          }
          if (state.kind === 'held' && after.kind !== 'held')
            expect(['seen', 'user-decided', 'inspected', 'renamed', 'vanished']).toContain(event.kind);
          state = after;
        }
      }),
    );
  });
});

describe('stateOf()', () => {
  const of = (more: Parameters<typeof rowOf>[1]) => stateOf(rowOf(foundSource('a'), more));

  it('derives the state of a source from its ledger row', () => {
    expect(stateOf(undefined)).toEqual(gone);
    expect(ledgerStates.map((state) => of({ state, retryAt: 5 }))).toEqual([
      ...[gone, unwanted, inProgress, done, failed('change'), failed('time'), failed('user')],
    ]);
    const asked = { why: 'changed', startedAt: 1 } as const;
    expect(of({ state: 'complete', standing: asked })).toEqual(held);
    expect(of({ state: 'seen', standing: asked })).toEqual({ ...held, skipState: 'skipped' });
    expect(of({ state: 'complete', standing: requested })).toEqual(waiting('requested'));
    expect(of({ state: 'waits-for-person', standing: { ...asked, why: 'gone' } })).toEqual(gone);
    expect(of({ state: 'taken', standing: asked })).toEqual(inProgress);
  });

  it('reads what the end of a job writes', () => {
    for (const end of [done, failed('time'), failed('change'), failed('user')])
      expect(of(ledgerFieldsAfter(end))).toEqual(end);
  });
});

describe('a source that storage refuses', () => {
  const denied = toErrorRecord(new TileliftError('storage-denied'));
  const unreachable = toErrorRecord(new TileliftError('storage-unreachable'));

  it('pauses its rule from the last refusal on, until storage accepts another source', () => {
    expect(refusedAtAfter({ refusedAt: null }, denied, 5)).toBe(5);
    expect(refusedAtAfter({ refusedAt: 5 }, denied, 9)).toBe(9);
    expect(refusedAtAfter({ refusedAt: 5 }, unreachable, 9)).toBeNull();
    for (const error of [denied, unreachable, null])
      expect(refusedAtAfter({ refusedAt: refusedAlone }, error, 9)).toBe(refusedAlone);
  });

  it('lets others be tried after two failed tries of each', () => {
    const afterTries = (...retries: number[]) => mayTryAnother(retries.map((count) => ({ retries: count })));
    expect([afterTries(), afterTries(1), afterTries(2), afterTries(4, 3), afterTries(4, 4)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });
});
