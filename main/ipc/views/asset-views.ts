import type { AssetDetailsView, AssetUploadView, AssetView } from '../../../preload/contract.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { redactedStart } from '../../redact.ts';
import type { Asset } from '../../service/model.ts';
import type { RuleUpload } from '../../watch/model/model.ts';

/** Limits for a page, whatever the service sends: characters, and a number of fields. */
const maxShortText = 500;
const maxDescription = 20_000;
const maxFields = 60;
const maxFieldName = 100;
/** Paths of one source. */
const maxPaths = 20;

/** @param madeHere whether this computer uploaded the asset */
export function assetView(asset: Asset, madeHere: boolean): AssetView {
  const { id, type, name, bytes, dateAdded, status, percentComplete } = asset;
  return { id, type, name, bytes, dateAdded, status, percentComplete, madeHere };
}

/** Returns all fields that the service sends, each as readable text. Pure. */
export function assetDetailsView(asset: Asset, madeHere: boolean): AssetDetailsView {
  const { description, attribution, error, progressMessage } = asset;
  const entries = Object.entries(asset);
  return {
    asset: assetView(asset, madeHere),
    description: shorten(description, maxDescription),
    attribution: shorten(attribution, maxShortText),
    error: error ? redactedStart(error, maxShortText) : null,
    progressMessage: progressMessage ? redactedStart(progressMessage, maxShortText) : null,
    fields: entries
      .slice(0, maxFields)
      .map(([name, value]) => ({
        name: shorten(name, maxFieldName),
        value: redactedStart(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), maxShortText),
      })),
    moreFields: Math.max(0, entries.length - maxFields),
  };
}

/**
 * Returns this computer's uploads of an asset, newest first, including receipts of removed jobs.
 *
 * @param jobs `isListed`: in the list of uploads
 * @param exists whether a source still exists
 */
export async function assetUploads(
  jobs: readonly (JobSnapshot & { readonly isListed: boolean })[],
  receipts: readonly RuleUpload[],
  exists: (path: string) => Promise<boolean>,
): Promise<readonly AssetUploadView[]> {
  const byJob = new Map(receipts.map((receipt) => [receipt.jobId, receipt]));
  const jobUploads = jobs.map((job) => {
    const receipt = byJob.get(job.id);
    byJob.delete(job.id);
    const paths = receipt?.path ? [receipt.path] : job.paths;
    return {
      ...{ jobId: job.isListed ? job.id : null, paths },
      ...{ rule: receipt?.ruleName ?? (job.byRule ? '' : null), createdAt: job.createdAt },
      ...{ uploadedAt: job.uploadedAt, files: job.fileCount, bytes: job.bytesTotal },
    };
  });
  const receiptUploads = [...byJob.values()].map((receipt) => ({
    ...{ jobId: null, paths: receipt.path === null ? [] : [receipt.path] },
    ...{ rule: receipt.ruleName, createdAt: receipt.takenAt },
    ...{ uploadedAt: receipt.uploadedAt, files: receipt.files, bytes: receipt.bytes },
  }));
  const newestFirst = [...jobUploads, ...receiptUploads].sort((a, b) => b.createdAt - a.createdAt);
  return Promise.all(
    newestFirst.map(async ({ paths, ...upload }) => ({
      ...upload,
      paths: paths.slice(0, maxPaths),
      morePaths: Math.max(0, paths.length - maxPaths),
      isThere: paths[0] !== undefined && (await exists(paths[0])),
    })),
  );
}

function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}
