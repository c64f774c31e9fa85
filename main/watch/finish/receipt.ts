import { setImmediate } from 'node:timers/promises';
import type { JobSnapshot, SentFile } from '../../jobs/model.ts';
import type { LedgerEntry, Receipt, ReceiptFile } from '../model/model.ts';
import type { NotedFinding } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';

/** Files per time slice: a few milliseconds' worth. */
const page = 1_000;

/** Creates a receipt. `service`: API address of the job's account, or null; `files`: read lazily. */
export async function makeReceipt(
  rule: Pick<WatchRule, 'id' | 'name'>,
  entry: Pick<LedgerEntry, 'path' | 'takenAt' | 'endedAt'>,
  job: JobSnapshot,
  service: string | null,
  files: Iterable<SentFile>,
  findings: readonly NotedFinding[],
): Promise<Receipt> {
  const sentFiles: ReceiptFile[] = [];
  for (const { key, size, etag, comparedBy, partSize } of files) {
    if (sentFiles.length % page === page - 1) await setImmediate();
    sentFiles.push({ key, size, etag, ...(comparedBy === null ? {} : { comparedBy }), partSize });
  }
  return {
    ruleId: rule.id,
    ruleName: rule.name,
    source: entry.path,
    accountId: job.accountId,
    ...(service === null ? {} : { service }),
    assetId: job.assetId,
    assetName: job.name,
    assetType: job.assetType,
    takenAt: entry.takenAt,
    uploadedAt: job.uploadedAt,
    endedAt: job.endedAt ?? entry.endedAt ?? entry.takenAt,
    outcome: job.status,
    error: job.status === 'complete' ? null : job.error,
    ...(job.links ? { links: job.links } : {}),
    ...(findings.length > 0 ? { findings } : {}),
    files: sentFiles,
  };
}
