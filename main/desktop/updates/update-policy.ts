import gt from 'semver/functions/gt.js';
import valid from 'semver/functions/valid.js';
import type { SwitchedOffBy, UpdatePhase } from '../../../shared/updates.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { doubledMs } from '../../service/backoff.ts';
import { isUnderWay } from '../work.ts';

/** When updates are looked for, downloaded and installed. Pure. */

export interface UpdateFacts {
  readonly off: SwitchedOffBy;
  /** It is time to look again. */
  readonly checkIsDue: boolean;
  /** An upload is under way. */
  readonly isUploading: boolean;
  /** No upload has been under way for a while: between two queued jobs there is none for a moment only. */
  readonly hasBeenQuiet: boolean;
}

type UpdateStep = 'check' | 'download' | 'stop-download';

/** So long (ms) no upload has been under way before a download begins. */
export const quietMs = 30_000;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export function switchedOffBy(is: {
  readonly hasFeed: boolean;
  readonly allowed: boolean;
  readonly wanted: boolean;
}): SwitchedOffBy {
  if (!is.hasFeed) return 'build';
  if (!is.allowed) return 'administrator';
  return is.wanted ? null : 'person';
}

/** What is to be done now; null for nothing. Once a release is ready, nothing more until it is installed. */
export function nextStep(phase: UpdatePhase, facts: UpdateFacts): UpdateStep | null {
  if (phase.kind === 'downloading') return facts.off || facts.isUploading ? 'stop-download' : null;
  if (facts.off || phase.kind === 'checking' || phase.kind === 'ready') return null;
  if (phase.kind === 'available' && facts.hasBeenQuiet) return 'download';
  return facts.checkIsDue ? 'check' : null;
}

/**
 * How long (ms) after a look the next one is due: a day; an hour where the feed could not be reached, twice
 * as long each further time, a day at most. What was refused would be again. `failures`: looks and downloads
 * in a row that failed, the last with this error.
 */
export function untilNextCheckMs(failures: number, error: Pick<ErrorRecord, 'retryable'> | null): number {
  if (failures === 0 || !error?.retryable) return dayMs;
  return doubledMs(failures, { firstMs: hourMs, maxMs: dayMs });
}

/**
 * A release goes in when Tilelift quits, never out of the middle of an upload: that is to continue quickly,
 * by what began it.
 */
export function installsNow(phase: UpdatePhase, { off, isUploading }: UpdateFacts): boolean {
  return phase.kind === 'ready' && !off && !isUploading;
}

/** Whether an upload is under way. */
export function isUploading(jobs: readonly JobSnapshot[]): boolean {
  return jobs.some(isUnderWay);
}

/**
 * Whether one version comes after another (Semantic Versioning 2.0.0). An invalid one comes after nothing.
 */
export function isNewer(offered: string, current: string): boolean {
  return isVersion(offered) && isVersion(current) && gt(offered, current);
}

/** The library ignores a `v` and spaces; a version that names a file has neither. */
const isVersion = (text: string) => valid(text) === text.split('+', 1)[0];
