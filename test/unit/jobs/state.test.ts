import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import { actionsFor } from '../../../main/jobs/actions.ts';
import { type JobEvent, jobEventSchema } from '../../../main/jobs/events.ts';
import { historyOf } from '../../../main/jobs/history.ts';
import {
  firstState,
  isEnded,
  isRunning,
  type JobState,
  nextState,
  runningPart,
} from '../../../main/jobs/state.ts';
import { hasEnded, isToUpload, jobStatuses } from '../../../shared/job-status.ts';
import { anyEvent, anyEvents } from './arbitrary-events.ts';

const stateAfter = (events: readonly JobEvent[], startState: JobState = firstState) =>
  events.reduce(nextState, startState);

const onComplete = { method: 'POST', url: 'https://api.test/complete', fields: {} };
const toUploading: readonly JobEvent[] = [
  { kind: 'started', at: 1 },
  { kind: 'scanned', at: 2, files: 3, bytes: 4, parts: 5 },
  { kind: 'create-requested', at: 3 },
  { kind: 'asset-created', at: 4, assetId: 42, credentialsEndAt: 99, onComplete },
];
const error = (code: 'storage-failed' | 'source-changed') => toErrorRecord(new TileliftError(code));
const toTiling: readonly JobEvent[] = [
  ...toUploading,
  { kind: 'upload-finished', at: 5 },
  { kind: 'completion-accepted', at: 6 },
];

it('nextState() leads from queued over creating, uploading, completing and tiling to complete', () => {
  const kinds = [...toTiling, { kind: 'tiled', at: 7, status: 'COMPLETE' } as const].map(
    (_, index, events) => stateAfter(events.slice(0, index + 1)).kind,
  );
  expect(kinds).toEqual('creating creating creating uploading completing tiling complete'.split(' '));
});

it('nextState() keeps an asset that was created during the pause', () => {
  const creating = stateAfter(toUploading.slice(0, 3));
  const pausedState = nextState(creating, { kind: 'paused', at: 10 });
  const created = toUploading[3] as JobEvent;
  expect(nextState(pausedState, created)).toMatchObject({
    kind: 'paused',
    was: { kind: 'uploading', asset: { id: 42 } },
  });
});

it('nextState() stores each request to create whose outcome is unknown', () => {
  const askedState = stateAfter(toUploading.slice(0, 3));
  const repeatedState = nextState(askedState, { kind: 'create-requested', at: 8 });
  expect(repeatedState).toMatchObject({ requests: [3, 8] });
  expect(nextState(repeatedState, { kind: 'create-settled', at: 9 })).toMatchObject({ requests: [3] });
  expect(nextState(repeatedState, { kind: 'orphan-left', at: 9, assetId: 1 })).toMatchObject({
    requests: [8],
  });
});

it('nextState() tries again from the failed step if the error may pass', () => {
  const uploadingState = stateAfter(toUploading);
  const passingState = nextState(uploadingState, { kind: 'failed', at: 10, error: error('storage-failed') });
  const lastingState = nextState(uploadingState, { kind: 'failed', at: 10, error: error('source-changed') });
  expect(nextState(passingState, { kind: 'tried-again', at: 11 })).toMatchObject(uploadingState);
  expect(nextState(lastingState, { kind: 'tried-again', at: 11 })).toBe(lastingState);
});

it('nextState() with any events leads every state to a named state without a throw', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const state = stateAfter(events);
      expect(jobStatuses).toContain(state.kind);
      expect(hasEnded(state.kind)).toBe(isEnded(state));
      expect(isToUpload(state.kind)).toBe(isRunning(state) && state.kind !== 'tiling');
      expect(Number(isEnded(state)) + Number(isRunning(state)) + Number(state.kind === 'paused')).toBe(1);
      expect(runningPart(state).kind).toMatch(/^(queued|creating|uploading|completing|tiling)$/);
      expect(() => historyOf(events)).not.toThrow();
    }),
  );
});

it('nextState() with any events never restarts an ended job by itself', () => {
  fc.assert(
    fc.property(anyEvents, fc.array(anyEvent), (events, laterEvents) => {
      const state = stateAfter(events);
      fc.pre(isEnded(state));
      const otherEvents = laterEvents.filter((event) => event.kind !== 'tried-again');
      expect(stateAfter(otherEvents, state)).toBe(state);
    }),
  );
});

it("nextState() with any events restarts only a failed job on a user's request", () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const state = stateAfter(events);
      fc.pre(isEnded(state));
      const triedState = nextState(state, { kind: 'tried-again', at: 0 });
      expect(isEnded(triedState)).toBe(!actionsFor(state).includes('try-again'));
    }),
  );
});

it('nextState() with any events gives the same state for events read back from JSON', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const back = events.map((event) => jobEventSchema.parse(JSON.parse(JSON.stringify(event))));
      expect(stateAfter(back)).toEqual(stateAfter(events));
    }),
  );
});

it('nextState() with any events keeps the asset of a job once created', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), (laterEvents) => {
      expect(runningPart(stateAfter(laterEvents, stateAfter(toUploading)))).toMatchObject({
        asset: { id: 42 },
      });
    }),
  );
});

it('nextState() with any events is changed by every offered action', () => {
  const events = {
    pause: { kind: 'paused', at: 0 },
    resume: { kind: 'resumed', at: 0 },
    cancel: { kind: 'cancelled', at: 0 },
    'try-again': { kind: 'tried-again', at: 0 },
  } as const;
  fc.assert(
    fc.property(anyEvents, (given) => {
      const state = stateAfter(given);
      for (const [action, event] of Object.entries(events)) {
        const isOffered = actionsFor(state).some((item) => item === action);
        if (isOffered) expect(nextState(state, event).kind).not.toBe(state.kind);
      }
      expect(actionsFor(state).includes('remove')).toBe(isEnded(state));
    }),
  );
});
