import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import { backoffMs, type Random } from '../../service/backoff.ts';
import type { UploadLocation } from '../../service/model.ts';
import type { Storage } from '../../storage/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';
import type { Journal, OwedAbort } from '../journal/journal-model.ts';
import type { UploadGrants } from './upload-credentials.ts';

interface OwedAbortsOptions {
  readonly journal: Pick<Journal, 'oweAborts' | 'owedAborts' | 'abortDone' | 'forgiveAborts'>;
  readonly grants: Pick<UploadGrants, 'get' | 'delete'>;
  readonly storageFor: (location: UploadLocation) => Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The job still sends, or may again: its credentials stay. */
  readonly isUsed: (jobId: string) => boolean;
}

/** Pauses between two tries for one job: storage, or the way to it, may be away for long. */
const pauses = { firstMs: 2_000, maxMs: 5 * 60_000 };
/**
 * Parts that were on their way when an upload was aborted may arrive afterwards and be kept: S3 asks to look,
 * and to abort again.
 */
const maxAborts = 3;
/** "About one hour" is not exact: what is owed is tried this much longer. */
const marginMs = 2 * 60_000;
/** One try for one job, ms. */
const maxTryMs = 60_000;

/**
 * Multipart uploads that nobody continues with are kept by storage, and paid for by someone, until they are
 * aborted. What is owed is in the journal, the credentials for it stay in the vault, and it is tried in the
 * background, over restarts, until storage knows the upload no more or the credentials end.
 */
export class OwedAborts {
  readonly #options: OwedAbortsOptions;
  readonly #ending = new AbortController();
  readonly #work = new Map<string, Promise<void>>();

  constructor(options: OwedAbortsOptions) {
    this.#options = options;
  }

  /** Takes up what was owed when Tilelift quit. */
  start(): void {
    for (const jobId of new Set(this.#options.journal.owedAborts().map((owed) => owed.jobId)))
      this.settle(jobId);
  }

  /** The job sends nothing more: what it has begun is owed, and its credentials go as soon as nothing is. */
  release(jobId: string): void {
    if (!this.#options.grants.get(jobId)) return;
    this.#options.journal.oweAborts(jobId);
    this.settle(jobId);
  }

  /** In the background. */
  settle(jobId: string): void {
    if (this.#work.has(jobId) || this.#ending.signal.aborted) return;
    const work = this.#settle(jobId)
      .catch((error: unknown) => {
        if (!this.#ending.signal.aborted)
          this.#options.log.warn({ jobId, error }, 'what a job owes to storage waits for the next start');
      })
      .finally(() => this.#work.delete(jobId));
    this.#work.set(jobId, work);
  }

  /** What is left then is in the journal. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#work.values());
  }

  async #settle(jobId: string): Promise<void> {
    const { journal, grants, clock, random, isUsed } = this.#options;
    for (let tries = 1; ; tries++) {
      const owed = journal.owedAborts(jobId);
      const grant = grants.get(jobId);
      if (owed.length === 0) break;
      if (!grant || clock.now() > grant.credentialsEndAt + marginMs) {
        journal.forgiveAborts(jobId);
        break;
      }
      if (await this.#try(owed, () => this.#options.storageFor(grant.location))) continue;
      await clock.sleep(backoffMs(tries, random, pauses), this.#ending.signal);
    }
    if (!isUsed(jobId)) grants.delete(jobId);
  }

  /** True when all of it is done. */
  async #try(owed: readonly OwedAbort[], open: () => Storage): Promise<boolean> {
    const { journal, log } = this.#options;
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(maxTryMs)]);
    let storage: Storage | undefined;
    try {
      storage = open();
      for (const one of owed) {
        await abortForGood(storage, one, signal);
        journal.abortDone(one);
      }
      return true;
    } catch (error) {
      this.#ending.signal.throwIfAborted();
      log.info({ jobId: owed[0]?.jobId, error }, 'an open upload is not aborted yet');
      return false;
    } finally {
      storage?.close();
    }
  }
}

/**
 * Resolves once storage says that there is no such upload; where it does not let itself be asked, once it has
 * taken the request.
 */
async function abortForGood(
  storage: Storage,
  { key, uploadId }: OwedAbort,
  signal: AbortSignal,
): Promise<void> {
  for (let aborts = 1; aborts <= maxAborts; aborts++) {
    try {
      await storage.abortMultipartUpload(key, uploadId, { signal });
      await storage.listParts(key, uploadId, { signal });
    } catch (thrown) {
      if (!(thrown instanceof StorageError)) throw thrown;
      const { code } = thrown.fault;
      if (code === 'NoSuchUpload') return;
      if (code === 'AccessDenied' && (await abortIsTaken(storage, { key, uploadId }, signal))) return;
      throw thrown;
    }
  }
  throw new Error('storage still knows the upload');
}

/** Who may abort may perhaps not list. */
async function abortIsTaken(
  storage: Storage,
  { key, uploadId }: Pick<OwedAbort, 'key' | 'uploadId'>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await storage.abortMultipartUpload(key, uploadId, { signal });
    return true;
  } catch (thrown) {
    return thrown instanceof StorageError && thrown.fault.code === 'NoSuchUpload';
  }
}
