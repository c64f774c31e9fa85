import type { ErrorRecord } from '../errors.ts';
import type { CompletionInstruction } from '../service/model.ts';
import type { JobEvent } from './events.ts';

/** The states of a job and what follows from what (design, "The job"). Pure. Times are ms since the epoch. */

export interface ScanFacts {
  readonly files: number;
  readonly bytes: number;
  readonly parts: number;
  /** Links in the source, which are not followed; absent for none. */
  readonly links?: number;
}

interface AssetFacts {
  readonly id: number;
  readonly createdAt: number;
  readonly credentialsEndAt: number;
  readonly onComplete: CompletionInstruction;
}

interface Queued {
  readonly kind: 'queued';
}
interface Creating {
  readonly kind: 'creating';
  readonly scan: ScanFacts | null;
  /** When each request to create left whose outcome is in doubt, oldest first. */
  readonly requests: readonly number[];
  /** Why nothing is created before a person wants it anyway; null when nothing is asked. */
  readonly question: ErrorRecord | null;
  /** A person wants it although the upload will probably outlive its credentials. */
  readonly confirmed: boolean;
}
export interface Uploading {
  readonly kind: 'uploading';
  readonly scan: ScanFacts;
  readonly asset: AssetFacts;
}
export interface Completing {
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
  /** The service's own word; null before it was first read. */
  readonly assetStatus: string | null;
  /** When that, or the quarter of the tiling, last changed. */
  readonly statusAt: number;
  /** The furthest that the events tell of, 0 to 100. */
  readonly percent: number;
}
type Running = Queued | Creating | Uploading | Completing | Tiling;
type Pausable = Queued | Creating | Uploading;

/** What was running stays known, so that a paused or failed job can continue from there. */
export type JobState =
  | Running
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
      readonly was: Running;
      readonly at: number;
      readonly error: ErrorRecord;
    }
  | { readonly kind: 'cancelled'; readonly was: Running; readonly at: number };

export const firstState: JobState = { kind: 'queued' };

/**
 * Total: an event that does not fit the state changes nothing. Ended states are left by `tried-again` after
 * `failed`, by nothing else.
 */
export function next(state: JobState, event: JobEvent): JobState {
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
      return event.kind === 'tried-again' && mayBeTriedAgain(state) ? state.was : state;
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

function nextRunning(state: Running, event: JobEvent): JobState {
  switch (event.kind) {
    case 'cancelled':
      return { kind: 'cancelled', was: state, at: event.at };
    case 'failed':
    case 'expired':
      return { kind: event.kind, was: state, at: event.at, error: event.error };
    case 'paused':
      return isPausable(state) ? { kind: 'paused', was: state } : state;
    default:
      return advance(state, event);
  }
}

/** What was under way when the pause came still brings its facts. */
function nextPaused(state: { readonly kind: 'paused'; readonly was: Pausable }, event: JobEvent): JobState {
  switch (event.kind) {
    case 'resumed':
      return state.was;
    case 'cancelled':
      return { kind: 'cancelled', was: state.was, at: event.at };
    case 'create-settled':
    case 'orphan-left':
    case 'asset-created': {
      const was = advance(state.was, event);
      return isPausable(was) ? { kind: 'paused', was } : state;
    }
    default:
      return state;
  }
}

function advance(state: Running, event: JobEvent): JobState {
  switch (state.kind) {
    case 'queued':
      return event.kind === 'started'
        ? { kind: 'creating', scan: null, requests: [], question: null, confirmed: false }
        : state;
    case 'creating':
      return advanceCreating(state, event);
    case 'uploading':
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

function advanceCreating(state: Creating, event: JobEvent): JobState {
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
      return {
        kind: 'uploading',
        scan: state.scan,
        asset: { id, createdAt, credentialsEndAt, onComplete },
      };
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
      const was = { ...state, assetStatus: event.status };
      const kind = event.status === 'DATA_ERROR' ? 'data-error' : 'error';
      return { kind, was, at: event.at, error: event.error };
    }
    default:
      return state;
  }
}

function isPausable(state: JobState): state is Pausable {
  return state.kind === 'queued' || state.kind === 'creating' || state.kind === 'uploading';
}

/** The running state that a job is in, or was in before it paused or ended: where its facts are. */
export function runningPart(state: JobState): Running {
  return 'was' in state ? state.was : state;
}

export function isRunning(state: JobState): state is Running {
  return !('was' in state);
}

export function isEnded(state: JobState): boolean {
  return 'at' in state;
}

/**
 * A failed job that a person may let continue where it was: its error may pass, or everything is in storage
 * already, so that continuing costs nothing and beginning again would create a second asset.
 */
export function mayBeTriedAgain(state: JobState): boolean {
  if (state.kind !== 'failed') return false;
  return state.error.retryable || goesOnAlone(state.was);
}

/** Ended, and not to be tried again: nothing that it held is of use any more. */
export function isOver(state: JobState): boolean {
  return isEnded(state) && !mayBeTriedAgain(state);
}

/** Not everything is in storage yet, and the job may continue. */
export function mayStillSend(state: JobState): boolean {
  return !isOver(state) && isPausable(runningPart(state));
}

/** All its bytes are in storage: what is left to do needs neither source nor credentials, only the asset. */
export function goesOnAlone(state: JobState): boolean {
  return state.kind === 'completing' || state.kind === 'tiling';
}

/** Nothing happens until a person says whether the upload may outlive its credentials. */
export function awaitsConfirmation(state: JobState): boolean {
  return state.kind === 'creating' && state.question !== null;
}

/** Jobs in these states take turns: they send, or are about to. */
export function needsTurn(state: JobState): boolean {
  return isPausable(state);
}
