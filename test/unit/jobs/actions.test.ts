import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import { actionsFor } from '../../../main/jobs/actions.ts';
import type { JobEvent } from '../../../main/jobs/events.ts';
import {
  awaitsConfirmation,
  firstState,
  isEnded,
  type JobState,
  nextState,
} from '../../../main/jobs/state.ts';
import type { JobAction, JobStatus } from '../../../shared/job-status.ts';
import { anyEvents } from './arbitrary-events.ts';

const onComplete = { method: 'POST', url: 'https://api.test/complete', fields: {} };
const passingError = toErrorRecord(new TileliftError('storage-failed'));
const lastingError = toErrorRecord(new TileliftError('source-changed'));
const question = toErrorRecord(new TileliftError('forecast-too-long', { subject: '2 h' }));

const startedEvent: JobEvent = { kind: 'started', at: 1 };
const scannedEvent: JobEvent = { kind: 'scanned', at: 2, files: 3, bytes: 4, parts: 5 };
const created: JobEvent = { kind: 'asset-created', at: 4, assetId: 42, credentialsEndAt: 99, onComplete };
const uploadingEvents = [startedEvent, scannedEvent, created];
const completing: readonly JobEvent[] = [...uploadingEvents, { kind: 'upload-finished', at: 5 }];
const tiling: readonly JobEvent[] = [...completing, { kind: 'completion-accepted', at: 6 }];

type Row = [string, readonly JobEvent[], Partial<Record<JobAction, JobStatus>>];

/** Every state of a job by its shortest history, and the state each offered action leads to. */
const table: readonly Row[] = [
  ['queued', [], { pause: 'paused', cancel: 'cancelled' }],
  ['creating', [startedEvent], { pause: 'paused', cancel: 'cancelled' }],
  [
    'creating, asking',
    [startedEvent, scannedEvent, { kind: 'confirmation-asked', at: 3, error: question }],
    { confirm: 'creating', cancel: 'cancelled' },
  ],
  [
    'creating, request under way',
    [startedEvent, scannedEvent, { kind: 'create-requested', at: 3 }],
    { pause: 'paused', cancel: 'cancelled' },
  ],
  ['uploading', uploadingEvents, { pause: 'paused', cancel: 'cancelled' }],
  ['completing', completing, { cancel: 'cancelled' }],
  ['tiling', tiling, { cancel: 'cancelled' }],
  ...['AWAITING_FILES', 'FAILED', 'Complete'].map((status): Row => {
    const read: JobEvent = { kind: 'asset-status', at: 7, status };
    return [`tiling, ${status}`, [...tiling, read], { 'stop-following': 'failed', cancel: 'cancelled' }];
  }),
  ['paused, queued', [{ kind: 'paused', at: 9 }], { resume: 'queued', cancel: 'cancelled' }],
  [
    'paused, creating',
    [startedEvent, { kind: 'paused', at: 9 }],
    { resume: 'creating', cancel: 'cancelled' },
  ],
  [
    'paused, uploading',
    [...uploadingEvents, { kind: 'paused', at: 9 }],
    { resume: 'uploading', cancel: 'cancelled' },
  ],
  ['complete', [...tiling, { kind: 'tiled', at: 9, status: 'COMPLETE' }], { remove: 'complete' }],
  [
    'data-error',
    [...tiling, { kind: 'tiling-failed', at: 9, status: 'DATA_ERROR', error: lastingError }],
    { 'start-again': 'data-error', remove: 'data-error' },
  ],
  [
    'error',
    [...tiling, { kind: 'tiling-failed', at: 9, status: 'ERROR', error: passingError }],
    { 'start-again': 'error', remove: 'error' },
  ],
  [
    'failed, may pass',
    [...uploadingEvents, { kind: 'failed', at: 9, error: passingError }],
    { 'try-again': 'uploading', 'start-again': 'failed', remove: 'failed' },
  ],
  [
    'failed for good',
    [...uploadingEvents, { kind: 'failed', at: 9, error: lastingError }],
    { 'start-again': 'failed', remove: 'failed' },
  ],
  [
    'failed for good, all on storage, not said so yet',
    [...completing, { kind: 'failed', at: 9, error: lastingError }],
    { 'try-again': 'completing', 'start-again': 'failed', remove: 'failed' },
  ],
  [
    'failed for good, all on storage',
    [...tiling, { kind: 'failed', at: 9, error: lastingError }],
    { 'try-again': 'tiling', 'start-again': 'failed', remove: 'failed' },
  ],
  [
    'expired',
    [...uploadingEvents, { kind: 'expired', at: 9, error: lastingError, bytesDone: 1 }],
    { 'start-again': 'expired', remove: 'expired' },
  ],
  [
    'cancelled',
    [...uploadingEvents, { kind: 'cancelled', at: 9 }],
    { 'start-again': 'cancelled', remove: 'cancelled' },
  ],
];

/** The journal event of each action; trying again and removing leave the job as it is. */
const eventOf: Partial<Record<JobAction, JobEvent>> = {
  confirm: { kind: 'confirmed', at: 10 },
  pause: { kind: 'paused', at: 10 },
  resume: { kind: 'resumed', at: 10 },
  cancel: { kind: 'cancelled', at: 10 },
  'stop-following': { kind: 'failed', at: 10, error: lastingError },
  'try-again': { kind: 'tried-again', at: 10 },
};

const stateAfter = (events: readonly JobEvent[]) => events.reduce(nextState, firstState);
const applyAction = (state: JobState, action: JobAction) => {
  const event = eventOf[action];
  return event ? nextState(state, event) : state;
};

/** A pause only marks an upload's duration as interrupted. */
function interruptedState(state: JobState): JobState {
  return state.kind === 'uploading' ? { ...state, asset: { ...state.asset, interrupted: true } } : state;
}

describe('job actions', () => {
  it.each(table)(
    'job actions: offers exactly these actions for a job in %s, each leading to its state',
    (name, events, outcome) => {
      const state = stateAfter(events);
      expect(state.kind).toBe(name.split(',')[0]?.split(' ')[0]);
      expect([...actionsFor(state)].sort()).toEqual(Object.keys(outcome).sort());
      for (const action of actionsFor(state)) expect(applyAction(state, action).kind).toBe(outcome[action]);
    },
  );

  it('cancel ends, pause stops and resume continues a job in any state that offers them', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const state = stateAfter(events);
        const actions = actionsFor(state);
        expect(actions.includes('cancel')).toBe(!isEnded(state));
        for (const action of actions) {
          const stateAfter = applyAction(state, action);
          if (action === 'cancel') expect(isEnded(stateAfter)).toBe(true);
          if (action === 'pause') expect(applyAction(stateAfter, 'resume')).toEqual(interruptedState(state));
          if (action === 'confirm') expect(awaitsConfirmation(stateAfter)).toBe(false);
          if (action === 'try-again' || action === 'resume') expect(isEnded(stateAfter)).toBe(false);
        }
      }),
    );
  });

  it('job actions: asks an answered question only once', () => {
    const askingEvent: JobEvent = { kind: 'confirmation-asked', at: 3, error: question };
    const confirmedState = stateAfter([
      startedEvent,
      scannedEvent,
      askingEvent,
      { kind: 'confirmed', at: 4 },
    ]);
    expect(nextState(confirmedState, askingEvent)).toBe(confirmedState);
  });
});
