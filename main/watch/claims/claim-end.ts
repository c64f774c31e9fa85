import type { JobSnapshot } from '../../jobs/model.ts';
import type { LedgerEntry, Receipt } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import type { WatchParts } from '../watch-parts.ts';
import { assetOf } from './asset-naming.ts';
import type { ClaimedAsset } from './claim-model.ts';
import { claimedContent } from './claimed-content.ts';

type Ended = Pick<JobSnapshot, 'status' | 'assetId' | 'uploadedAt'>;

/**
 * Says in a source's claim what became of it, once nothing more is tried by itself. Only COMPLETE is done.
 * What failed waits for a person on other computers too. One whose credentials ended before its upload may do
 * better elsewhere: others take it when they have seen that nobody renews it. Throws
 * `watch-claims-unwritable`.
 */
export async function endClaim(
  rule: WatchRule,
  entry: LedgerEntry,
  job: Ended | undefined,
  receipt: Receipt | null,
  parts: WatchParts,
): Promise<void> {
  const claims = parts.claimsOf(rule);
  if (!claims) return;
  if (job?.status === 'expired') return claims.rest(entry.path);
  const asset = ourAsset(rule, job, parts);
  const isDone = entry.state === 'complete';
  await claims.finish(entry.path, entry.identity, {
    state: isDone ? 'done' : 'failed',
    outcome: entry.error?.code ?? entry.state,
    asset,
    content: isDone && receipt ? { ...claimedContent(entry, receipt), ...wordOf(rule, entry, parts) } : null,
  });
}

/** The ledger has it from the receipt. */
function wordOf(rule: WatchRule, { path }: LedgerEntry, { ledger }: WatchParts) {
  const content = ledger.find(rule.id, path)?.content;
  return content ? { word: content } : {};
}

/**
 * A source that failed for another's reason is tried again here, at increasing intervals, but another
 * computer may do better. Not where all its files are there: then nobody else could help it on.
 */
export async function letGo(rule: WatchRule, path: string, job: Ended | undefined, parts: WatchParts) {
  const claims = parts.claimsOf(rule);
  if (!claims || !job || job.uploadedAt !== null) return;
  if (job.assetId !== null) return claims.rest(path);
  // Where the folder can't be written, that nobody renews it says as much.
  await claims.release(path).catch(() => claims.rest(path));
}

function ourAsset(
  { accountId }: WatchRule,
  job: Ended | undefined,
  { accounts }: WatchParts,
): ClaimedAsset | null {
  return job ? assetOf(job, accounts.serviceOf(accountId)) : null;
}
