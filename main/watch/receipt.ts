import type { JobSnapshot, SentFile } from '../jobs/model.ts';
import type { LedgerEntry, Receipt } from './model.ts';
import type { WatchRule } from './rule.ts';

/** What a finished source leaves behind. `files`: of its job. */
export function makeReceipt(
  rule: Pick<WatchRule, 'id' | 'name'>,
  entry: Pick<LedgerEntry, 'path' | 'takenAt' | 'endedAt'>,
  job: JobSnapshot,
  files: Iterable<SentFile>,
): Receipt {
  return {
    ruleId: rule.id,
    ruleName: rule.name,
    source: entry.path,
    assetId: job.assetId,
    assetName: job.name,
    assetType: job.assetType,
    takenAt: entry.takenAt,
    uploadedAt: job.uploadedAt,
    endedAt: job.endedAt ?? entry.endedAt ?? entry.takenAt,
    outcome: job.status,
    error: job.status === 'complete' ? null : errorWords(job),
    files: Array.from(files, ({ key, size, etag, partSize }) => ({ key, size, etag, partSize })),
  };
}

function errorWords({ error }: JobSnapshot): string | null {
  if (!error) return null;
  return error.remote?.message ? `${error.message} (${error.remote.message})` : error.message;
}
