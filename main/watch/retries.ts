import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEntry } from './model.ts';
import { retryTimeOf } from './retry-delay.ts';
import type { WatchRule } from './rule.ts';
import { surveySource } from './survey.ts';
import { takeSource } from './take-source.ts';
import type { WatchParts } from './watch-parts.ts';

export interface RetryHooks {
  readonly turnIsFree: () => boolean;
  readonly isPending: (path: string) => boolean;
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
    if (!hooks.isPending(entry.path)) await tryAgain(rule, entry, parts, hooks);
  }
  return null;
}

async function tryAgain(
  rule: WatchRule,
  entry: LedgerEntry,
  parts: WatchParts,
  hooks: RetryHooks,
): Promise<void> {
  const { ledger, jobs } = parts;
  const job = entry.jobId === null ? undefined : jobs.get(entry.jobId);
  if (job?.actions.includes('try-again')) {
    // First the ledger: a kill in between leaves a job that has ended, which is looked at again.
    ledger.change(rule.id, entry.path, { state: 'taken', retryAt: null, endedAt: null, error: null });
    await jobs.act(job.id, 'try-again');
    hooks.follow(job.id);
    parts.onChange(rule.id);
  } else if (existsSync(join(rule.folder, entry.path))) hooks.lookAt(entry.path);
  else ledger.change(rule.id, entry.path, { state: 'waits-for-change', retryAt: null });
}

/** The same source as another asset, at once: its credentials ended before its upload. */
export async function startAgain(
  rule: WatchRule,
  entry: LedgerEntry,
  parts: WatchParts,
  hooks: Pick<RetryHooks, 'lookAt' | 'follow'>,
): Promise<void> {
  const source = await surveySource(rule, entry.path);
  if (source?.identity === entry.identity) return hooks.follow(takeSource(rule, source, true, parts));
  parts.ledger.change(rule.id, entry.path, { state: 'waits-for-change', retryAt: null });
  hooks.lookAt(entry.path);
}
