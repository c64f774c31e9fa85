import type { ErrorRecord } from '../errors.ts';
import type { CompletionInstruction } from '../service/model.ts';
import type { JobEvent } from './events.ts';

/** A job's states and transitions. Pure. Times are ms since the epoch. */

export interface ScanFacts {
  readonly files: number;
  readonly bytes: number;
  readonly parts: number;
  /** Not followed. */
  readonly links?: number;
}

interface AssetFacts {
  readonly id: number;
  readonly createdAt: number;
  readonly credentialsEndAt: number;
  readonly onComplete: CompletionInstruction;
  /** The upload paused, met trouble or restarted, so its duration includes waiting. */
  readonly interrupted?: true;
}

interface Queued {
  readonly kind: 'queued';
}
interface CreatingState {
  readonly kind: 'creating';
  readonly scan: ScanFacts | null;
  /** Times of unanswered creation requests, oldest first. */
  readonly requests: readonly number[];
  /** Null if nothing is asked. */
  readonly question: ErrorRecord | null;
  readonly confirmed: boolean;
}
export interface Uploading {
  readonly kind: 'uploading';
  readonly scan: ScanFacts;
  readonly asset: AssetFacts;
}
export interface CompletingState {
  readonly kind: 'completing';
  readonly scan: ScanFacts;
  readonly asset: AssetFacts;
  readonly uploadedAt: number;
}
export interface Tiling {
  readonly kind: 'tiling';
  readonly scan: ScanFacts;
  readonly asset: AssetFacts;
  readonly uploadedAt: number;
  /** The service's status; null before the first poll. */
  readonly assetStatus: string | null;
  readonly statusAt: number;
  /** The highest percentage in the events. */
  readonly percent: number;
}
type RunningState = Queued | CreatingState | Uploading | CompletingState | Tiling;
type Pausable = Queued | CreatingState | Uploading;

/** Paused and failed jobs continue from `was`. */
export type JobState =
  | RunningState
  | { readonly kind: 'paused'; readonly was: Pausable }
  | { readonly kind: 'complete'; readonly was: Tiling; readonly at: number }
  | {
      readonly kind: 'data-error' | 'error';
      readonly was: Tiling;
      readonly at: number;
      readonly error: ErrorRecord;
    }
  | {
      readonly kind: 'failed' | 'expired';
      readonly was: RunningState;
      readonly at: number;
      readonly error: ErrorRecord;
    }
  | { readonly kind: 'cancelled'; readonly was: RunningState; readonly at: number };

export const firstState: JobState = { kind: 'queued' };

/** Ignores events that don't fit the state. Only `tried-again` after `failed` leaves an ended state. */
export function nextState(state: JobState, event: JobEvent): JobState {
  switch (state.kind) {
    case 'queued':
    case 'creating':
    case 'uploading':
    case 'completing':
    case 'tiling':
      return nextRunning(state, event);
    case 'paused':
      return nextPaused(state, event);
    case 'failed':
      return event.kind === 'tried-again' && isRetryable(state) ? markInterrupted(state.was) : state;
    case 'complete':
    case 'data-error':
    case 'error':
    case 'expired':
    case 'cancelled':
      return state;
  }
}

function scanFacts({ files, bytes, parts, links }: Extract<JobEvent, { kind: 'scanned' }>): ScanFacts {
  return { files, bytes, parts, ...(links ? { links } : {}) };
}

function nextRunning(state: RunningState, event: JobEvent): JobState {
  switch (event.kind) {
    case 'cancelled':
      return { kind: 'cancelled', was: state, at: event.at };
    case 'failed':
    case 'expired':
      return { kind: event.kind, was: state, at: event.at, error: event.error };
    case 'paused':
      return isPausable(state) ? { kind: 'paused', was: markInterrupted(state) } : state;
    default:
      return advance(state, event);
  }
}

/** Pending requests may finish after the pause. */
function nextPaused(state: { readonly kind: 'paused'; readonly was: Pausable }, event: JobEvent): JobState {
  switch (event.kind) {
    case 'resumed':
      return state.was;
    case 'cancelled':
      return { kind: 'cancelled', was: state.was, at: event.at };
    case 'create-settled':
    case 'orphan-left':
    case 'asset-created': {
      const previousState = advance(state.was, event);
      return isPausable(previousState) ? { kind: 'paused', was: previousState } : state;
    }
    default:
      return state;
  }
}

function advance(state: RunningState, event: JobEvent): JobState {
  switch (state.kind) {
    case 'queued':
      return event.kind === 'started'
        ? { kind: 'creating', scan: null, requests: [], question: null, confirmed: false }
        : state;
    case 'creating':
      return advanceCreating(state, event);
    case 'uploading':
      if (event.kind === 'troubled' || event.kind === 'taken-up') return markInterrupted(state);
      return event.kind === 'upload-finished'
        ? { kind: 'completing', scan: state.scan, asset: state.asset, uploadedAt: event.at }
        : state;
    case 'completing':
      return event.kind === 'completion-accepted'
        ? { ...state, kind: 'tiling', assetStatus: null, statusAt: event.at, percent: 0 }
        : state;
    case 'tiling':
      return advanceTiling(state, event);
  }
}

function markInterrupted(state: Pausable): Pausable;
function markInterrupted(state: RunningState): RunningState;
function markInterrupted(state: RunningState): RunningState {
  return state.kind === 'uploading' ? { ...state, asset: { ...state.asset, interrupted: true } } : state;
}

function advanceCreating(state: CreatingState, event: JobEvent): JobState {
  switch (event.kind) {
    case 'scanned':
      return { ...state, scan: scanFacts(event) };
    case 'confirmation-asked':
      return state.confirmed ? state : { ...state, question: event.error };
    case 'confirmed':
      return { ...state, question: null, confirmed: true };
    case 'create-requested':
      return { ...state, requests: [...state.requests, event.at] };
    case 'create-settled':
      return { ...state, requests: state.requests.slice(0, -1) };
    case 'orphan-left':
      return { ...state, requests: state.requests.slice(1) };
    case 'asset-created': {
      const { assetId: id, at: createdAt, credentialsEndAt, onComplete } = event;
      if (!state.scan) return state;
      return { kind: 'uploading', scan: state.scan, asset: { id, createdAt, credentialsEndAt, onComplete } };
    }
    default:
      return state;
  }
}

function advanceTiling(state: Tiling, event: JobEvent): JobState {
  switch (event.kind) {
    case 'asset-status':
      return {
        ...state,
        assetStatus: event.status,
        statusAt: event.at,
        percent: Math.max(state.percent, event.percent ?? 0),
      };
    case 'tiled':
      return { kind: 'complete', was: { ...state, assetStatus: event.status }, at: event.at };
    case 'tiling-failed': {
      const previousState = { ...state, assetStatus: event.status };
      const kind = event.status === 'DATA_ERROR' ? 'data-error' : 'error';
      return { kind, was: previousState, at: event.at, error: event.error };
    }
    default:
      return state;
  }
}

function isPausable(state: JobState): state is Pausable {
  return state.kind === 'queued' || state.kind === 'creating' || state.kind === 'uploading';
}

/** The current or last running state, which holds the facts. */
export function runningPart(state: JobState): RunningState {
  return 'was' in state ? state.was : state;
}

export function isRunning(state: JobState): state is RunningState {
  return !('was' in state);
}

export function isEnded(state: JobState): boolean {
  return 'at' in state;
}

/** Continuing is useful, or everything is in storage and a restart would create a second asset. */
export function isRetryable(state: JobState): boolean {
  if (state.kind !== 'failed') return false;
  return state.error.retryable || needsOnlyAsset(state.was);
}

/** Ended and not retryable, so its resources can be released. */
export function isFinal(state: JobState): boolean {
  return isEnded(state) && !isRetryable(state);
}

/** Not everything is in storage, and the job may continue. */
export function mayStillSend(state: JobState): boolean {
  return !isFinal(state) && isPausable(runningPart(state));
}

/** All bytes are in storage. */
export function needsOnlyAsset(state: JobState): boolean {
  return state.kind === 'completing' || state.kind === 'tiling';
}

/** The user must accept that the upload may outlive its credentials. */
export function awaitsConfirmation(state: JobState): boolean {
  return state.kind === 'creating' && state.question !== null;
}

/** Jobs in these states take turns, because they send or will. */
export function needsTurn(state: JobState): boolean {
  return isPausable(state);
}
