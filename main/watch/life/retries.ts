import { lstat } from 'node:fs/promises';
import { type TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { createKnownBatches } from '../batches/known-batches.ts';
import { claimAgain } from '../claims/claim-keeper.ts';
import { ruleFor } from '../kind/decide-kind.ts';
import { retryDelayMs, retryTimeOf } from '../ledger/retry-delay.ts';
import { allowsAnother } from '../ledger/second-asset.ts';
import type { LedgerEntry } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { surveySource } from '../survey/survey.ts';
import type { WatchParts } from '../watch-parts.ts';
import { underWay } from './job-follower.ts';
import { takeSource } from './take-source.ts';

export interface RetryHooks {
  readonly turnIsFree: () => boolean;
  /** It settles, or is about to be looked at. */
  readonly isAwaited: (path: string) => boolean;
  readonly lookAt: (path: string) => void;
  readonly follow: (jobId: string) => void;
}

/**
 * Takes up every source of the rule whose time for another try has come. A job that can be tried again goes on with its own asset; otherwise the source
 * settles once more and becomes another one. Gives when the next one's time comes, ms since the epoch; null when none waits.
 */
export async function retryDue(
  rule: WatchRule,
  parts: WatchParts,
  hooks: RetryHooks,
): Promise<number | null> {
  for (const entry of parts.ledger.waitingForRetry(rule.id)) {
    const now = parts.clock.now();
    const at = retryTimeOf(entry, now);
    if (at > now) return at;
    if (!hooks.turnIsFree()) return null;
    if (hooks.isAwaited(entry.path) || mayBeDone(entry, parts)) continue;
    try {
      await tryAgain(rule, entry, parts, hooks);
    } catch (thrown) {
      postpone(entry, toTileliftError(thrown), parts);
    }
  }
  return null;
}

/** A journal that is lost may have finished it: the look through the folder has a person asked. */
function mayBeDone(entry: LedgerEntry, { ledger }: WatchParts): boolean {
  return entry.wantedAt === null && ledger.isFromBefore(entry.ruleId, entry);
}

/** That it could not even be tried is one failure more, and must not keep others from their turn. */
function postpone(
  entry: LedgerEntry,
  error: TileliftError,
  { ledger, clock, random, log }: WatchParts,
): void {
  const { ruleId, path } = entry;
  log.warn({ ruleId, error }, 'a source could not be tried again');
  const retries = entry.retries + 1;
  const retryAt = clock.now() + retryDelayMs(retries, random);
  ledger.change(ruleId, path, { state: 'waits-for-retry', retries, retryAt, error: toErrorRecord(error) });
}

/** The job of a source that failed, where that goes on by itself or can be tried again: the source needs no other asset. */
export async function ownJobOf(
  entry: Pick<LedgerEntry, 'jobId'> | undefined,
  jobs: WatchParts['jobs'],
): Promise<JobSnapshot | undefined> {
  const job = entry?.jobId ? jobs.get(entry.jobId) : undefined;
  if (!job || job.endedAt === null || job.status === 'complete') return job;
  if (!job.actions.includes('try-again')) return undefined;
  // A job that still has to send can't follow its source to another name.
  return job.uploadedAt !== null || (await areThere(job.paths)) ? job : undefined;
}

async function areThere(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const isThere = await lstat(path).then(
      () => true,
      () => false,
    );
    if (!isThere) return false;
  }
  return true;
}

async function tryAgain(
  rule: WatchRule,
  entry: LedgerEntry,
  parts: WatchParts,
  hooks: RetryHooks,
): Promise<void> {
  const { ledger, jobs } = parts;
  const job = await ownJobOf(entry, jobs);
  if (!job) {
    // What is all there must not become a second asset: only a person's word helps.
    if (!allowsAnother(entry))
      ledger.change(rule.id, entry.path, { state: 'waits-for-person', retryAt: null });
    else if (await there(rule, entry, parts)) hooks.lookAt(entry.path);
    else ledger.change(rule.id, entry.path, { state: 'waits-for-change', retryAt: null });
    return;
  }
  if (!(await claimAgain(rule, entry, parts))) return;
  // First the ledger: a kill in between leaves a job that has ended, which is looked at again.
  ledger.change(rule.id, entry.path, underWay);
  hooks.follow(job.id);
  await jobs.act(job.id, 'try-again');
  parts.onChange(rule.id);
}

const there = (rule: WatchRule, { path }: LedgerEntry, parts: WatchParts) =>
  surveySource(rule, path, { batches: createKnownBatches(rule, parts) });

/** The same source as another asset, at once: its credentials ended before its upload. */
export async function startAgain(
  rule: WatchRule,
  entry: LedgerEntry,
  parts: WatchParts,
  hooks: Pick<RetryHooks, 'lookAt' | 'follow'>,
): Promise<void> {
  const source = await there(rule, entry, parts);
  if (source?.identity === entry.identity && mayBeDone(entry, parts)) return hooks.lookAt(entry.path);
  if (source?.identity === entry.identity) {
    // It may have become pending meanwhile, and taken.
    if (!(await claimAgain(rule, entry, parts))) return;
    const decided = await ruleFor(rule, source, parts);
    const now = parts.ledger.find(rule.id, entry.path);
    if (now?.state === 'waits-for-retry') hooks.follow(await takeSource(decided, source, true, parts));
    return;
  }
  parts.ledger.change(rule.id, entry.path, { state: 'waits-for-change', retryAt: null });
  hooks.lookAt(entry.path);
}
