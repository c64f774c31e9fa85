import { TileliftError } from '../../errors.ts';
import { transfer } from '../../transfer/transfer.ts';
import type { TransferRecord } from '../../transfer/transfer-model.ts';
import { tellsSpeed } from '../forecast.ts';
import type { Journal } from '../journal/journal-model.ts';
import { SpeedMeter } from '../speed-meter.ts';
import type { ScanFacts, Uploading } from '../state.ts';
import { createConfirmations } from './confirmations.ts';
import { ExactLook, sourceChanged } from './exact-source.ts';
import { filesToSend } from './files-to-send.ts';
import type { JobCollaborators, StepSignals } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';

/**
 * Sends what the journal does not know to be in storage. Where a job is for one exact source, that is looked
 * for once more when every byte has arrived: what came or went meanwhile would otherwise be missed, and a
 * half-copied source become an asset.
 */
export async function uploadStep(
  job: LiveJob,
  state: Uploading,
  deps: JobCollaborators,
  { signal }: StepSignals,
): Promise<void> {
  const { journal, clock } = deps;
  // Storage asks nobody who is signed in: whether the account may be used at all is found out here.
  deps.serviceFor(job.record.accountId);
  const grant = deps.grants.get(job.id);
  if (!grant) throw new TileliftError('credentials-lost');
  const refusal = deps.refuseStorage(grant.location, job.record.accountId);
  if (refusal) throw refusal;
  const confirmed = journal.totals(job.id);
  const before = { partsSentAgain: job.progress.partsSentAgain };
  const meter = new SpeedMeter(clock.elapsed(), confirmed);
  const storage = deps.storageFor(grant.location);
  try {
    await transfer(filesToSend(journal, job.id), {
      storage,
      confirmed,
      record: recordIn(job, deps),
      clock: job.pauses,
      random: deps.random,
      signal,
      credentialsEndAt: state.asset.credentialsEndAt,
      onProgress: (progress) => {
        meter.add(clock.elapsed(), { bytes: progress.acknowledged, parts: progress.partsDone });
        job.showProgress(before, progress);
      },
      onTrouble: (error, pauseMs) => job.meet(error, pauseMs),
      ...(deps.parallelParts === undefined ? {} : { parallel: deps.parallelParts }),
    });
  } finally {
    storage.close();
    job.endProgress();
    // Also of an upload that expired: it is the next one's forecast.
    for (const speed of meter.end()) if (tellsSpeed(speed)) journal.addSpeed(job.record.accountId, speed);
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
  const { paths, exactly } = job.record;
  if (!exactly?.fingerprint) return;
  const look = new ExactLook(exactly.fingerprint);
  await scanInPages(job.record, (files) => look.add(files), signal);
  if (!look.isExact()) throw sourceChanged(paths);
}

/** Nothing is whole that the journal does not know whole, file by file. */
function checkWhole(journal: Pick<Journal, 'fileProgress'>, jobId: string, { files }: ScanFacts): void {
  const { doneCount, unfinishedCount } = journal.fileProgress(jobId, 0);
  if (doneCount !== files || unfinishedCount > 0)
    throw new TileliftError('journal-unusable', { cause: `${doneCount} of ${files} files` });
}

function recordIn(job: LiveJob, { journal, clock, owed }: JobCollaborators): TransferRecord {
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
      owed.settle(job.id);
    },
    resent: (path, reason) => job.apply({ kind: 'resent', path, reason }),
  };
}
