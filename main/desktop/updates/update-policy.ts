import type { ErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { isUnderWay } from '../work.ts';
import { isNewer } from './version.ts';

/** When updates are looked for, downloaded and installed. Pure. */

/** Of what releases are taken. `beta`: preliminary ones too. */
export type UpdateChannel = 'latest' | 'beta';

/** The newest release that a feed announces, under its publisher's signature. */
export interface Offer {
  readonly version: string;
  /** ms since the epoch. */
  readonly releasedAt: number;
}

/** Where Tilelift stands with its updates, while they are on. */
export type UpdatePhase =
  /** `checkedAt` (ms since the epoch) is null before the first look; no newer release was there. `doubt`: what speaks against the feed. */
  | { readonly kind: 'idle'; readonly checkedAt: number | null; readonly doubt?: FeedDoubt }
  | { readonly kind: 'checking' }
  /** A newer release waits for a free line. */
  | { readonly kind: 'available'; readonly version: string }
  /** A newer release that this copy may not install by itself. */
  | { readonly kind: 'by-hand'; readonly version: string }
  /** `percent`: whole, 0 to 100. */
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };

/** Why a feed may keep a newer release back. */
export type FeedDoubt =
  /** It offers an older release than it once did. */
  | { readonly kind: 'went-back'; readonly offered: string; readonly seen: string }
  /** Its newest release is this old; `since` is ms since the epoch. */
  | { readonly kind: 'stands-still'; readonly since: number };

/** Who has switched updates off: this build has no address or no publisher's key for them, an administrator, or the person. Null while they are on. */
export type SwitchedOffBy = 'build' | 'administrator' | 'person' | null;

export interface UpdateFacts {
  readonly off: SwitchedOffBy;
  /** It is time to look again. */
  readonly checkIsDue: boolean;
  /** An upload needs the line. */
  readonly lineIsBusy: boolean;
  /** No upload has needed it for a while: between two jobs of a queue it is free for a moment only. */
  readonly lineIsQuiet: boolean;
}

export type UpdateStep = 'check' | 'download' | 'stop-download';

/** So long (ms) no upload has needed the line before a download begins. */
export const quietMs = 30_000;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A feed without a new release for so long is told of: somebody may be keeping them back. */
const stillMs = 180 * dayMs;

export function switchedOffBy(is: {
  readonly hasFeed: boolean;
  readonly allowed: boolean;
  readonly wanted: boolean;
}): SwitchedOffBy {
  if (!is.hasFeed) return 'build';
  if (!is.allowed) return 'administrator';
  return is.wanted ? null : 'person';
}

/** What speaks against a feed that offers this. `seen`: the newest version that its channel has offered here; null for none. */
export function feedDoubt(offer: Offer, seen: string | null, now: number): FeedDoubt | undefined {
  if (seen !== null && isNewer(seen, offer.version))
    return { kind: 'went-back', offered: offer.version, seen };
  return now - offer.releasedAt > stillMs ? { kind: 'stands-still', since: offer.releasedAt } : undefined;
}

/** What is to be done now; null for nothing. Once a release is ready, nothing more until it is installed. */
export function nextStep(phase: UpdatePhase, facts: UpdateFacts): UpdateStep | null {
  if (phase.kind === 'downloading') return facts.off || facts.lineIsBusy ? 'stop-download' : null;
  if (facts.off || phase.kind === 'checking' || phase.kind === 'ready') return null;
  if (phase.kind === 'available' && facts.lineIsQuiet) return 'download';
  return facts.checkIsDue ? 'check' : null;
}

/**
 * How long (ms) after a look the next one is due: a day; an hour where the feed could not be reached, twice as long each further time, a day at most. What was refused would be
 * again. `failures`: looks and downloads in a row that failed, the last with this error.
 */
export function untilNextCheckMs(failures: number, error: Pick<ErrorRecord, 'retryable'> | null): number {
  if (failures === 0 || !error?.retryable) return dayMs;
  return Math.min(dayMs, hourMs * 2 ** Math.min(failures - 1, 5));
}

/** A release goes in when Tilelift quits, never out of the middle of an upload: that is to go on quickly, by what began it. */
export function installsNow(phase: UpdatePhase, { off, lineIsBusy }: UpdateFacts): boolean {
  return phase.kind === 'ready' && !off && !lineIsBusy;
}

/** Whether uploads need the line now. */
export function lineIsBusy(jobs: readonly JobSnapshot[]): boolean {
  return jobs.some(isUnderWay);
}
