import { setImmediate } from 'node:timers/promises';
import { TileliftError } from '../errors.ts';
import { sumSizes } from '../upload/file-transfer.ts';
import { transfer } from '../upload/transfer.ts';
import type { TransferFile, TransferRecord } from '../upload/transfer-model.ts';
import { createConfirmations } from './confirmations.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { ConfirmedTotals, Journal } from './journal-model.ts';
import type { LiveJob } from './live-job.ts';
import type { Uploading } from './state.ts';

/** Sends what the journal does not know to be on storage. */
export async function uploadStep(
  job: LiveJob,
  state: Uploading,
  with_: JobCollaborators,
  { signal }: StepSignals,
): Promise<void> {
  const grant = with_.grants.get(job.id);
  if (!grant) throw new TileliftError('credentials-lost');
  const files = await readUnfinished(with_.journal, job.id, signal);
  const base = confirmedElsewhere(with_.journal.totals(job.id), files);
  const storage = with_.storageFor(grant.location);
  try {
    await transfer(files, {
      storage,
      record: recordIn(with_.journal, job),
      clock: with_.clock,
      random: with_.random,
      signal,
      credentialsEndAt: state.asset.credentialsEndAt,
      onProgress: (progress) => job.showProgress(base, progress),
      onTrouble: (error) => job.meet(error),
      ...(with_.parallelParts === undefined ? {} : { parallel: with_.parallelParts }),
    });
  } finally {
    storage.close();
    job.endProgress();
  }
  job.apply({ kind: 'upload-finished' });
}

/** Page by page, so that 100,000 files hold up nobody. */
async function readUnfinished(journal: Journal, jobId: string, signal: AbortSignal): Promise<TransferFile[]> {
  const files: TransferFile[] = [];
  for (;;) {
    const page = journal.unfinishedFiles(jobId, files.at(-1)?.id);
    if (page.length === 0) return files;
    for (const file of page) files.push(file);
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** Of the files that are not sent any more. */
function confirmedElsewhere(totals: ConfirmedTotals, files: readonly TransferFile[]): ConfirmedTotals {
  return {
    bytes: totals.bytes - files.reduce((sum, file) => sum + sumSizes(file.parts), 0),
    parts: totals.parts - files.reduce((sum, file) => sum + file.parts.length, 0),
  };
}

function recordIn(journal: Journal, job: LiveJob): TransferRecord {
  const confirmations = createConfirmations(journal);
  return {
    uploadBegun: (fileId, uploadId) => journal.uploadBegun(fileId, uploadId),
    partConfirmed: (fileId, part) => confirmations.add({ fileId, part }),
    fileConfirmed: (fileId) => confirmations.add({ fileId, part: null }),
    partsDropped: (fileId, numbers) => {
      confirmations.flush();
      journal.dropParts(fileId, numbers);
    },
    uploadForgotten: (fileId) => {
      confirmations.flush();
      journal.forgetUpload(fileId);
    },
    resent: (path, reason) => job.apply({ kind: 'resent', path, reason }),
  };
}
