import gt from 'semver/functions/gt.js';
import valid from 'semver/functions/valid.js';
import type { SwitchedOffBy, UpdatePhase } from '../../../shared/updates.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { doubledMs } from '../../service/backoff.ts';
import { isUploadInProgress } from '../launch/work.ts';

/** Pure. */

export interface UpdateFacts {
  readonly off: SwitchedOffBy;
  readonly checkIsDue: boolean;
  readonly isUploading: boolean;
  /** Between two queued jobs there is a short gap. */
  readonly hasBeenQuiet: boolean;
}

type UpdateStep = 'check' | 'download' | 'stop-download';

/** Before a download, ms. */
export const quietMs = 30_000;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export function switchedOffBy(is: {
  readonly hasFeed: boolean;
  readonly allowed: boolean;
  readonly isEnabled: boolean;
}): SwitchedOffBy {
  if (!is.hasFeed) return 'build';
  if (!is.allowed) return 'administrator';
  return is.isEnabled ? null : 'person';
}

/** A ready release is only installed. */
export function nextStep(phase: UpdatePhase, facts: UpdateFacts): UpdateStep | null {
  if (phase.kind === 'downloading') return facts.off || facts.isUploading ? 'stop-download' : null;
  if (facts.off || phase.kind === 'checking' || phase.kind === 'ready') return null;
  if (phase.kind === 'available' && facts.hasBeenQuiet) return 'download';
  return facts.checkIsDue ? 'check' : null;
}

/**
 * In ms: a day; after connection failures an hour, doubling up to a day. `failures`: consecutive ones, the
 * last with `error`.
 */
export function untilNextCheckMs(failures: number, error: Pick<ErrorRecord, 'retryable'> | null): number {
  if (failures === 0 || !error?.retryable) return dayMs;
  return doubledMs(failures, { firstMs: hourMs, maxMs: dayMs });
}

/** An upload in progress should continue soon, with the same version. */
export function installsNow(phase: UpdatePhase, { off, isUploading }: UpdateFacts): boolean {
  return phase.kind === 'ready' && !off && !isUploading;
}

export function isUploading(jobs: readonly JobSnapshot[]): boolean {
  return jobs.some(isUploadInProgress);
}

/** Semantic Versioning 2.0.0. False for invalid versions. */
export function isNewer(offered: string, current: string): boolean {
  return isVersion(offered) && isVersion(current) && gt(offered, current);
}

/** The library ignores `v` and spaces. */
const isVersion = (text: string) => valid(text) === text.split('+', 1)[0];
