import type { WatchParts } from '../watch-parts.ts';

/**
 * Sources that a journal from a backup has before it still, and that may have become assets since: their jobs are given up before they make another one, and the sources
 * are held as the others are. A job that has its asset already goes on with it.
 */
export async function handBackQueued({ ledger, jobs, clock }: WatchParts): Promise<void> {
  for (const entry of ledger.taken()) {
    const { ruleId, path, jobId } = entry;
    const job = jobId === null ? undefined : jobs.get(jobId);
    if (!job || job.assetId !== null || job.endedAt !== null || !ledger.isFromBefore(ruleId, entry)) continue;
    const now = clock.now();
    // First the ledger: the end of the job is then nobody's business any more.
    ledger.change(ruleId, path, { state: 'waits-for-retry', endedAt: now, retryAt: now });
    await jobs.act(job.id, 'cancel');
    await jobs.act(job.id, 'remove');
  }
}
