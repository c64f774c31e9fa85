import type { AccountService } from '../../account/model/model.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { assetPageAddress } from '../../service/service-address.ts';
import { csvLine } from '../../watch/finish/receipt-export.ts';

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
 * Returns jobs as CSV (RFC 4180), escaping spreadsheet formulas as in receipts. Pure.
 *
 * @param linkOf returns an asset's page, or null if the service is no longer known
 */
export function jobListCsv(
  jobs: readonly JobSnapshot[],
  linkOf: (accountId: string, assetId: number) => string | null,
): string {
  const lines = jobs.map((job) => {
    const { name, assetId, assetType, fileCount, bytesTotal, createdAt, uploadedAt } = job;
    const tiledAt = job.status === 'complete' ? job.endedAt : null;
    const link = assetId === null ? null : linkOf(job.accountId, assetId);
    const durations = [seconds(createdAt, uploadedAt), seconds(uploadedAt, tiledAt)];
    return csvLine([name, assetId, assetType, link, fileCount, bytesTotal, ...durations]);
  });
  return [csvLine(columns), ...lines].join('');
}

/** Whole seconds between two times (ms); null if one is unknown. */
function seconds(startTime: number | null, endTime: number | null): number | null {
  return startTime === null || endTime === null
    ? null
    : Math.max(0, Math.round((endTime - startTime) / 1_000));
}

/** Returns the CSV with links for signed-in accounts. */
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
