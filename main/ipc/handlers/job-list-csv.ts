import type { AccountService } from '../../account/model.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { assetPageAddress } from '../../service/service-address.ts';
import { csvLine } from '../../watch/ledger/receipt-export.ts';

const columns = [
  'name',
  'asset id',
  'asset type',
  'link',
  'files',
  'bytes',
  'upload seconds',
  'tiling seconds',
] as const;

/**
 * Jobs as a table, RFC 4180, a line for each: what spreadsheets would run as a formula is guarded as in
 * receipts. Pure.
 *
 * @param linkOf the page of an asset on its service; null where that service is not known any more
 */
export function jobListCsv(
  jobs: readonly JobSnapshot[],
  linkOf: (accountId: string, assetId: number) => string | null,
): string {
  const lines = jobs.map((job) => {
    const { name, assetId, assetType, fileCount, bytesTotal, createdAt, uploadedAt } = job;
    const tiledAt = job.status === 'complete' ? job.endedAt : null;
    const link = assetId === null ? null : linkOf(job.accountId, assetId);
    const took = [seconds(createdAt, uploadedAt), seconds(uploadedAt, tiledAt)];
    return csvLine([name, assetId, assetType, link, fileCount, bytesTotal, ...took]);
  });
  return [csvLine(columns), ...lines].join('');
}

/** Whole ones between two times, ms since the epoch; null where one of them is not known. */
function seconds(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(0, Math.round((to - from) / 1_000));
}

/** The same, with the links of those whose account is signed in. */
export function jobListText(
  jobs: readonly JobSnapshot[],
  accounts: Pick<AccountService, 'accounts'>,
): string {
  const addresses = new Map(accounts.accounts().map(({ id, address }) => [id, address]));
  return jobListCsv(jobs, (accountId, assetId) => {
    const address = addresses.get(accountId);
    return address ? assetPageAddress(address, assetId) : null;
  });
}
