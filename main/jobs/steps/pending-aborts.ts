import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import { backoffMs, type Random } from '../../service/backoff.ts';
import type { UploadLocation } from '../../service/model.ts';
import type { Storage } from '../../storage/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';
import type { Journal, PendingAbort } from '../journal/journal-model.ts';
import type { UploadGrants } from './upload-credentials.ts';

interface PendingAbortsOptions {
  readonly journal: Pick<Journal, 'addPendingAborts' | 'pendingAborts' | 'abortDone' | 'dropPendingAborts'>;
  readonly grants: Pick<UploadGrants, 'get' | 'delete'>;
  readonly storageFor: (location: UploadLocation) => Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The job may still send, so its credentials stay. */
  readonly isUsed: (jobId: string) => boolean;
}

const pauses = { firstMs: 2_000, maxMs: 5 * 60_000 };
/** Parts in flight may arrive after an abort, so S3 recommends aborting again. */
const maxAborts = 3;
/** "About one hour" is inexact, so tries continue a little longer. */
const marginMs = 2 * 60_000;
/** Per try and job, ms. */
const maxTryMs = 60_000;

/**
 * Aborts abandoned multipart uploads, which cost money until then, in the background and across restarts,
 * until storage no longer knows them or the credentials end.
 */
export class PendingAborts {
  readonly #options: PendingAbortsOptions;
  readonly #stopController = new AbortController();
  readonly #work = new Map<string, Promise<void>>();

  constructor(options: PendingAbortsOptions) {
    this.#options = options;
  }

  /** Resumes aborts pending since the last quit. */
  start(): void {
    for (const jobId of new Set(
      this.#options.journal.pendingAborts().map((pendingAbort) => pendingAbort.jobId),
    ))
      this.abortPending(jobId);
  }

  /** Marks the uploads of a job that sends nothing more; its credentials go when they are aborted. */
  release(jobId: string): void {
    if (!this.#options.grants.get(jobId)) return;
    this.#options.journal.addPendingAborts(jobId);
    this.abortPending(jobId);
  }

  abortPending(jobId: string): void {
    if (this.#work.has(jobId) || this.#stopController.signal.aborted) return;
    const work = this.#abortPending(jobId)
      .catch((error: unknown) => {
        if (!this.#stopController.signal.aborted)
          this.#options.log.warn({ jobId, error }, 'what a job owes to storage waits for the next start');
      })
      .finally(() => this.#work.delete(jobId));
    this.#work.set(jobId, work);
  }

  async stop(): Promise<void> {
    this.#stopController.abort();
    await Promise.all(this.#work.values());
  }

  async #abortPending(jobId: string): Promise<void> {
    const { journal, grants, clock, random, isUsed } = this.#options;
    for (let attempts = 1; ; attempts++) {
      const pendingAborts = journal.pendingAborts(jobId);
      const grant = grants.get(jobId);
      if (pendingAborts.length === 0) break;
      if (!grant || clock.now() > grant.credentialsEndAt + marginMs) {
        journal.dropPendingAborts(jobId);
        break;
      }
      if (await this.#try(pendingAborts, () => this.#options.storageFor(grant.location))) continue;
      await clock.sleep(backoffMs(attempts, random, pauses), this.#stopController.signal);
    }
    if (!isUsed(jobId)) grants.delete(jobId);
  }

  async #try(pendingAborts: readonly PendingAbort[], openStorage: () => Storage): Promise<boolean> {
    const { journal, log } = this.#options;
    const signal = AbortSignal.any([this.#stopController.signal, AbortSignal.timeout(maxTryMs)]);
    let storage: Storage | undefined;
    try {
      storage = openStorage();
      for (const abort of pendingAborts) {
        await abortUntilGone(storage, abort, signal);
        journal.abortDone(abort);
      }
      return true;
    } catch (error) {
      this.#stopController.signal.throwIfAborted();
      log.info({ jobId: pendingAborts[0]?.jobId, error }, 'an open upload is not aborted yet');
      return false;
    } finally {
      storage?.close();
    }
  }
}

/** Resolves once storage doesn't know the upload or, without permission to list, accepts the abort. */
async function abortUntilGone(
  storage: Storage,
  { key, uploadId }: PendingAbort,
  signal: AbortSignal,
): Promise<void> {
  for (let aborts = 1; aborts <= maxAborts; aborts++) {
    try {
      await storage.abortMultipartUpload(key, uploadId, { signal });
      await storage.listParts(key, uploadId, { signal });
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      const { code } = error.fault;
      if (code === 'NoSuchUpload') return;
      if (code === 'AccessDenied' && (await abortIsTaken(storage, { key, uploadId }, signal))) return;
      throw error;
    }
  }
  throw new Error('storage still knows the upload');
}

async function abortIsTaken(
  storage: Storage,
  { key, uploadId }: Pick<PendingAbort, 'key' | 'uploadId'>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await storage.abortMultipartUpload(key, uploadId, { signal });
    return true;
  } catch (error) {
    return error instanceof StorageError && error.fault.code === 'NoSuchUpload';
  }
}
