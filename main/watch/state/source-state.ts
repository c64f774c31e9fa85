import type { HoldWhy } from '../../../shared/watch.ts';
import type { ErrorCode, ErrorRecord } from '../../errors.ts';
import type { LedgerEntry } from '../model/model.ts';
import type { LedgerState } from '../model/records.ts';
import type { Decision } from './decide.ts';

/** The states of a source in a watched folder, and their transitions. Pure and total. */

/** Why an unfinished or undecided source waits. */
export type WaitReason =
  | 'comparing'
  /** A job of the same source under another name has to end first. */
  | 'same-source'
  | 'unreadable'
  /** The rule requires a marker, a checksum list or an inspection. */
  | 'not-ready'
  | 'elsewhere'
  | 'requested';

export type SourceState =
  | { readonly kind: 'settling' }
  | { readonly kind: 'waiting'; readonly why: WaitReason }
  | { readonly kind: 'queued' }
  | { readonly kind: 'in-progress' }
  /** `skipState`: the state if the user skips it. */
  | { readonly kind: 'held'; readonly why: HoldWhy; readonly skipState: 'done' | 'skipped' }
  | { readonly kind: 'done' }
  /** `retry`: the event to wait for. `retryAt`: ms since the epoch, or null. */
  | { readonly kind: 'failed'; readonly retry: 'time' | 'change' | 'user'; readonly retryAt: number | null }
  | { readonly kind: 'skipped'; readonly why: 'unwanted' | 'no-data' }
  /** Missing, or not scanned yet. */
  | { readonly kind: 'gone' };

/** How a source's job ended: with an asset, or with what another try waits for. */
export type JobEnd = Extract<SourceState, { kind: 'done' | 'failed' }>;

export type SourceEvent =
  /** A scan found it, new or changed, and led to this decision. `isFinished`: it has settled. */
  | { readonly kind: 'seen'; readonly decision: Decision; readonly isFinished: boolean }
  | { readonly kind: 'renamed' }
  | { readonly kind: 'vanished' }
  /** `ready` for its turn, a reason to wait or hold, or no data of the rule. */
  | {
      readonly kind: 'inspected';
      readonly result:
        | 'ready'
        | 'unfinished'
        | Extract<WaitReason, 'not-ready' | 'elsewhere' | 'unreadable'>
        | Extract<HoldWhy, 'findings' | 'kind-undecided'>
        | 'no-data';
    }
  | { readonly kind: 'slot-free' }
  | { readonly kind: 'job-ended'; readonly end: JobEnd }
  /** About a held source (`upload`, `leave`) or an ended one. */
  | { readonly kind: 'user-decided'; readonly choice: 'upload' | 'leave' | 'retry' | 'dismiss' }
  /** The next scan decides by the changed rule. */
  | { readonly kind: 'rule-changed' }
  | { readonly kind: 'folder-unavailable' };

export const settling: SourceState = { kind: 'settling' };
export const queued: SourceState = { kind: 'queued' };
export const gone: SourceState = { kind: 'gone' };
export const waiting = (why: WaitReason): SourceState => ({ kind: 'waiting', why });

/** States that are only in memory; a scan restores them. */
export const isPassing = ({ kind }: SourceState): boolean =>
  kind === 'settling' || kind === 'waiting' || kind === 'queued';

/** Only the end of its job changes a source that is being uploaded. */
export function next(state: SourceState, event: SourceEvent): SourceState {
  if (state.kind === 'in-progress') return event.kind === 'job-ended' ? event.end : state;
  switch (event.kind) {
    case 'seen':
      return afterSeen(state, event);
    case 'renamed':
    case 'vanished':
      return gone;
    case 'inspected':
      return afterInspection(state, event.result);
    case 'slot-free':
      return state.kind === 'queued' || (state.kind === 'failed' && state.retry === 'time')
        ? { kind: 'in-progress' }
        : state;
    case 'job-ended':
      return state;
    case 'user-decided':
      return afterChoice(state, event.choice);
    case 'rule-changed':
    case 'folder-unavailable':
      return isPassing(state) || (state.kind === 'skipped' && state.why === 'no-data') ? gone : state;
  }
}

function afterSeen(
  state: SourceState,
  { decision, isFinished }: Extract<SourceEvent, { kind: 'seen' }>,
): SourceState {
  switch (decision.kind) {
    case 'take':
      if (isFinished) return queued;
      return isPassing(state) && !isOutdated(state) ? state : settling;
    case 'hold': {
      const skipState = state.kind === 'held' ? state.skipState : state.kind === 'done' ? 'done' : 'skipped';
      // Let it settle before holding it; a held source stays held.
      const isHeldNow = isFinished || state.kind === 'held';
      if (isHeldNow) return { kind: 'held', why: decision.why, skipState };
      return isPassing(state) && !isOutdated(state) ? state : settling;
    }
    case 'compare':
      return waiting('comparing');
    case 'later':
      return { kind: 'failed', retry: 'time', retryAt: decision.retryAt };
    case 'leave':
      return decision.why === 'under-way' ? waiting('same-source') : { kind: 'done' };
    case 'known':
    case 'renamed':
    case 'touched':
      if (state.kind === 'held') return afterLeaving(state);
      return isPassing(state) || state.kind === 'gone' ? { kind: 'done' } : state;
  }
}

/** A new decision to upload it ends these waits. */
const isOutdated = (state: SourceState): boolean =>
  state.kind === 'waiting' &&
  (state.why === 'comparing' || state.why === 'same-source' || state.why === 'unreadable');

const unwanted: SourceState = { kind: 'skipped', why: 'unwanted' };

function afterInspection(
  state: SourceState,
  result: Extract<SourceEvent, { kind: 'inspected' }>['result'],
): SourceState {
  if (result === 'unreadable') return waiting(result);
  if (result === 'no-data')
    return isPassing(state) || state.kind === 'gone' ? { kind: 'skipped', why: result } : state;
  if (!isPassing(state)) return state;
  switch (result) {
    case 'ready':
      return queued;
    case 'unfinished':
      return settling;
    case 'findings':
    case 'kind-undecided':
      return { kind: 'held', why: result, skipState: 'skipped' };
    default:
      return waiting(result);
  }
}

function afterChoice(
  state: SourceState,
  choice: Extract<SourceEvent, { kind: 'user-decided' }>['choice'],
): SourceState {
  if (state.kind === 'held') {
    if (choice === 'upload') return waiting('requested');
    return choice === 'leave' ? afterLeaving(state) : choice === 'retry' ? settling : state;
  }
  if (choice === 'retry')
    return state.kind === 'failed' || state.kind === 'skipped' ? waiting('requested') : state;
  return choice === 'dismiss' && state.kind === 'failed' && state.retry !== 'time' ? unwanted : state;
}

const afterLeaving = ({ skipState }: SourceState & { readonly kind: 'held' }): SourceState =>
  skipState === 'done' ? { kind: 'done' } : unwanted;

const endStates: Readonly<Record<'time' | 'change' | 'user', LedgerState>> = {
  time: 'waits-for-retry',
  change: 'waits-for-change',
  user: 'waits-for-person',
};

/** The ledger's fields after a job's end. `stateOf` reads them. */
export function ledgerFieldsAfter(end: JobEnd): Pick<LedgerEntry, 'state' | 'retryAt'> {
  const state = next({ kind: 'in-progress' }, { kind: 'job-ended', end });
  if (state.kind === 'failed') return { state: endStates[state.retry], retryAt: state.retryAt };
  return { state: 'complete', retryAt: null };
}

/** Derives the state from the ledger row; `gone` without one. */
export function stateOf(entry: LedgerEntry | undefined): SourceState {
  if (!entry) return gone;
  const { state, standing, retryAt } = entry;
  if (state === 'taken') return { kind: 'in-progress' };
  if (standing?.why === 'gone') return gone;
  if (standing?.why === 'upload') return waiting('requested');
  if (standing)
    return { kind: 'held', why: standing.why, skipState: state === 'complete' ? 'done' : 'skipped' };
  switch (state) {
    case 'seen':
      return gone;
    case 'skipped':
      return unwanted;
    case 'complete':
      return { kind: 'done' };
    case 'waits-for-retry':
      return { kind: 'failed', retry: 'time', retryAt };
    case 'waits-for-change':
    case 'waits-for-person':
      return { kind: 'failed', retry: state === 'waits-for-change' ? 'change' : 'user', retryAt: null };
  }
}

/** Storage that refuses one source probably refuses all sources of its rule. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'storage-denied',
  'storage-elsewhere',
  'storage-plain',
  'storage-private',
]);

export const isRefusal = (error: ErrorRecord | null | undefined): boolean =>
  error != null && refusals.has(error.code);

/** Storage refused this source and then accepted another one, so further refusals concern only this one. */
export const refusedAlone = 0;

/** Returns the new `refusedAt` of a source that failed. `currentTime`: ms since the epoch. */
export function refusedAtAfter(
  { refusedAt }: Pick<LedgerEntry, 'refusedAt'>,
  error: ErrorRecord | null,
  currentTime: number,
): number | null {
  if (refusedAt === refusedAlone) return refusedAlone;
  return isRefusal(error) ? currentTime : null;
}

/** Failed tries of each refused source before another one may be the probe. */
const triesBeforeAnother = 2;

/** Whether a source that storage hasn't refused may be tried. `refused`: those that pause the rule. */
export const mayTryAnother = (refused: readonly Pick<LedgerEntry, 'retries'>[]): boolean =>
  refused.every(({ retries }) => retries >= triesBeforeAnother * refused.length);
