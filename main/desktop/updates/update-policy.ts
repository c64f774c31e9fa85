import gt from 'semver/functions/gt.js';
import valid from 'semver/functions/valid.js';
import type { SwitchedOffBy, UpdatePhase } from '../../../shared/updates.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { doubledMs } from '../../service/backoff.ts';
import { isUploadInProgress } from '../launch/work.ts';

/** Pure. */

export interface UpdateFacts {
  readonly switchedOffBy: SwitchedOffBy;
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

export function switchedOffBy(facts: {
  readonly hasFeed: boolean;
  readonly areAllowed: boolean;
  readonly isEnabled: boolean;
}): SwitchedOffBy {
  if (!facts.hasFeed) return 'build';
  if (!facts.areAllowed) return 'administrator';
  return facts.isEnabled ? null : 'person';
}

/** A ready release is only installed. */
export function nextStep(phase: UpdatePhase, facts: UpdateFacts): UpdateStep | null {
  if (phase.kind === 'downloading') return facts.switchedOffBy || facts.isUploading ? 'stop-download' : null;
  if (facts.switchedOffBy || phase.kind === 'checking' || phase.kind === 'ready') return null;
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
export function installsNow(phase: UpdatePhase, { switchedOffBy, isUploading }: UpdateFacts): boolean {
  return phase.kind === 'ready' && !switchedOffBy && !isUploading;
}

export function isUploading(jobs: readonly JobSnapshot[]): boolean {
  return jobs.some(isUploadInProgress);
}

/** Semantic Versioning 2.0.0. False for invalid versions. */
export function isNewer(offeredVersion: string, current: string): boolean {
  return isVersion(offeredVersion) && isVersion(current) && gt(offeredVersion, current);
}

/** The library ignores `v` and spaces. */
const isVersion = (text: string) => valid(text) === text.split('+', 1)[0];
