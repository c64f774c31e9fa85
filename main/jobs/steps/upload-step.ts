import { TileliftError } from '../../errors.ts';
import { transfer } from '../../transfer/transfer.ts';
import type { TransferRecord } from '../../transfer/transfer-model.ts';
import { isWorthStoring } from '../forecast.ts';
import type { Journal } from '../journal/journal-model.ts';
import { SpeedMeter } from '../speed-meter.ts';
import type { ScanFacts, Uploading } from '../state.ts';
import { createConfirmations } from './confirmations.ts';
import { ExactSourceCheck, sourceChanged } from './exact-source.ts';
import { filesToSend } from './files-to-send.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';

/** An exact source is rescanned afterwards: a half-copied one must not become an asset. */
export async function uploadStep(
  job: LiveJob,
  state: Uploading,
  deps: JobCollaborators,
  { signal }: StepSignals,
): Promise<void> {
  const { journal, clock } = deps;
  // Storage doesn't check the sign-in, so check the account here.
  deps.serviceFor(job.record.accountId);
  const grant = deps.grants.get(job.id);
  if (!grant) throw new TileliftError('credentials-lost');
  const refusal = deps.refuseStorage(grant.location, job.record.accountId);
  if (refusal) throw refusal;
  const confirmedTotals = journal.totals(job.id);
  const previousCounts = { partsSentAgain: job.progress.partsSentAgain };
  const meter = new SpeedMeter(clock.elapsed(), confirmedTotals);
  const storage = deps.storageFor(grant.location);
  try {
    await transfer(filesToSend(journal, job.id), {
      storage,
      confirmedAmount: confirmedTotals,
      record: recordIn(job, deps),
      clock: job.pauses,
      random: deps.random,
      signal,
      credentialsEndAt: state.asset.credentialsEndAt,
      onProgress: (progress) => {
        meter.add(clock.elapsed(), { bytes: progress.acknowledged, parts: progress.partsDone });
        job.showProgress(previousCounts, progress);
      },
      onTrouble: (error, pauseMs) => job.reportTrouble(error, pauseMs),
      ...(deps.parallelParts === undefined ? {} : { parallel: deps.parallelParts }),
    });
  } finally {
    storage.close();
    job.endProgress();
    // Even an expired upload improves the next forecast.
    for (const speed of meter.end()) if (isWorthStoring(speed)) journal.addSpeed(job.record.accountId, speed);
  }
  checkWhole(journal, job.id, state.scan);
  await checkAfterUpload(job, deps, signal);
  job.apply({ kind: 'upload-finished' });
}

async function checkAfterUpload(
  job: LiveJob,
  { scanInPages }: JobCollaborators,
  signal: AbortSignal,
): Promise<void> {
  const { paths, exactly: exactSource } = job.record;
  if (!exactSource?.fingerprint) return;
  const sourceCheck = new ExactSourceCheck(exactSource.fingerprint);
  await scanInPages(job.record, (files) => sourceCheck.add(files), signal);
  if (!sourceCheck.isExact()) throw sourceChanged(paths);
}

function checkWhole(journal: Pick<Journal, 'fileProgress'>, jobId: string, { files }: ScanFacts): void {
  const { doneCount, unfinishedCount } = journal.fileProgress(jobId, 0);
  if (doneCount !== files || unfinishedCount > 0)
    throw new TileliftError('journal-unusable', { cause: `${doneCount} of ${files} files` });
}

function recordIn(job: LiveJob, { journal, clock, pendingAborts }: JobCollaborators): TransferRecord {
  const confirmations = createConfirmations(journal, clock);
  return {
    uploadBegun: (fileId, upload) => journal.uploadBegun(fileId, upload),
    completeSent: (fileId) => journal.completeSent(fileId),
    partConfirmed: (fileId, part) => confirmations.add({ fileId, part }),
    fileConfirmed: (fileId, etag, comparedBy) => confirmations.add({ fileId, part: null, etag, comparedBy }),
    partsDropped: (fileId, numbers) => {
      confirmations.flush();
      journal.dropParts(fileId, numbers);
    },
    identityTaken: (fileId, identity) => journal.identityTaken(fileId, identity),
    uploadForgotten: (fileId) => {
      confirmations.flush();
      journal.forgetUpload(fileId);
      pendingAborts.abortPending(job.id);
    },
    noteResent: (path, reason) => job.apply({ kind: 'resent', path, reason }),
  };
}
