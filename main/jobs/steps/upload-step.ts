import { setImmediate } from 'node:timers/promises';
import { TileliftError } from '../../errors.ts';
import { sumSizes } from '../../transfer/file-transfer.ts';
import { transfer } from '../../transfer/transfer.ts';
import type { TransferFile, TransferRecord } from '../../transfer/transfer-model.ts';
import { tellsSpeed } from '../forecast.ts';
import type { JobCollaborators, StepSignals } from '../job-collaborators.ts';
import type { ConfirmedTotals, Journal } from '../journal/journal-model.ts';
import type { LiveJob } from '../live-job.ts';
import { SpeedMeter } from '../speed-meter.ts';
import type { ScanFacts, Uploading } from '../state.ts';
import { createConfirmations } from './confirmations.ts';
import { checkExact } from './exact-source.ts';

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
  const files = await readUnfinished(journal, job.id, signal);
  const base = {
    ...finished(state.scan, files),
    partsSentAgain: job.progress.partsSentAgain,
  };
  const before = {
    bytes: files.reduce((sum, file) => sum + sumSizes(file.parts), 0),
    parts: files.reduce((sum, file) => sum + file.parts.length, 0),
  };
  const meter = new SpeedMeter(clock.elapsed(), before);
  const storage = deps.storageFor(grant.location);
  try {
    await transfer(files, {
      storage,
      record: recordIn(job, deps),
      clock: job.pauses,
      random: deps.random,
      signal,
      credentialsEndAt: state.asset.credentialsEndAt,
      onProgress: (progress) => {
        meter.add(clock.elapsed(), { bytes: progress.acknowledged, parts: progress.partsDone });
        job.showProgress(base, progress);
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
  await checkAfterUpload(job, deps, signal);
  job.apply({ kind: 'upload-finished' });
}

async function checkAfterUpload(
  job: LiveJob,
  { scan }: JobCollaborators,
  signal: AbortSignal,
): Promise<void> {
  if (!job.record.exactly?.fingerprint) return;
  const { files } = await scan(job.record, signal);
  await checkExact(job.record, files, signal);
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

/** What the files that are in storage whole amount to. */
function finished(scan: ScanFacts, unfinished: readonly TransferFile[]): ConfirmedTotals {
  return {
    bytes: scan.bytes - sumSizes(unfinished),
    parts: scan.parts - unfinished.reduce((sum, file) => sum + file.plan.partCount, 0),
  };
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
