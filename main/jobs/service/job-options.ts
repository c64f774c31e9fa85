import type { Bandwidth } from '../../../shared/timetable.ts';
import type { Vault } from '../../account/vault/vault.ts';
import type { TileliftError } from '../../errors.ts';
import { scanInPages } from '../../files/walk/scan.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { Random } from '../../service/backoff.ts';
import type { ServiceApi, UploadLocation } from '../../service/model.ts';
import type { Storage } from '../../storage/storage.ts';
import { TilingReads } from '../../tiling/tiling-reads.ts';
import { secondsToSend } from '../../transfer/bandwidth.ts';
import { createStorageClient } from '../../workers/storage-client.ts';
import { forecast } from '../forecast.ts';
import type { Journal } from '../journal/journal-model.ts';
import type { ExactSource } from '../model.ts';
import type { JobCollaborators } from '../steps/job-collaborators.ts';
import { PendingAborts } from '../steps/pending-aborts.ts';
import { createUploadGrants } from '../steps/upload-credentials.ts';

/** The dependencies of jobs. */
export interface JobServiceOptions {
  readonly journal: Journal;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  readonly accounts: {
    serviceFor(accountId: string): ServiceApi;
    /** Null if the service can be used. Default: only requests show it. */
    whyUnready?(accountId: string): TileliftError | null;
  };
  /** Why a job without an asset must not begin. Default: it may. */
  readonly whyHeld?: JobCollaborators['whyHeld'];
  readonly log: Log;
  readonly storageFor?: (location: UploadLocation) => Storage;
  readonly prepareUpload?: () => void;
  /** Default: refuses anything but https and this computer. */
  readonly refuseStorage?: JobCollaborators['refuseStorage'];
  /** Default: 10 seconds (contract part 8). */
  readonly pollMs?: number;
  /** Default: not shared with other followers. */
  readonly reads?: TilingReads;
  readonly parallelParts?: number;
  /** Default 1. */
  readonly maxSending?: number;
  /** Contract part 8: about one hour. */
  readonly credentialLifeMs?: number;
  /** Default: unlimited. */
  readonly bandwidth?: () => Bandwidth;
  /** Called with the id of a removed job when its restore time is over. */
  readonly onRemoved?: (jobId: string) => void;
  /** Scan workers' file. Default: the source, for plain Node. */
  readonly scanWorker?: URL;
}

const noLimit: Bandwidth = { limit: null, timetable: [] };
const defaultPollMs = 10_000;
const defaultCredentialLifeMs = 60 * 60_000;

/** `isUsed`: whether a job may still send. */
export function collaboratorsOf(
  options: JobServiceOptions,
  log: Log,
  isUsed: (jobId: string) => boolean,
): JobCollaborators {
  const { journal, clock, random, pollMs = defaultPollMs } = options;
  const { credentialLifeMs = defaultCredentialLifeMs } = options;
  const storageFor = options.storageFor ?? ((location: UploadLocation) => createStorageClient(location));
  const grants = createUploadGrants(options.vault);
  const serviceFor = (accountId: string) => options.accounts.serviceFor(accountId);
  const scanOptions = (exactSource: ExactSource | undefined, signal: AbortSignal) => ({
    signal,
    ...(exactSource ? { keysFrom: exactSource.keysFrom, gitignore: exactSource.gitignore } : {}),
    ...(options.scanWorker ? { worker: options.scanWorker } : {}),
  });
  return {
    ...{ journal, grants, clock, random, storageFor, serviceFor, pollMs, credentialLifeMs, log },
    pendingAborts: new PendingAborts({ journal, grants, clock, random, storageFor, log, isUsed }),
    prepareUpload: options.prepareUpload ?? (() => {}),
    whyUnready: (accountId) => options.accounts.whyUnready?.(accountId) ?? null,
    whyHeld: options.whyHeld ?? (() => null),
    reads: options.reads ?? new TilingReads({ serviceFor, clock, freshMs: pollMs }),
    refuseStorage: options.refuseStorage ?? (() => null),
    parallelParts: options.parallelParts,
    scanInPages: ({ paths, exactly: exactSource }, onFiles, signal) =>
      scanInPages(paths, onFiles, scanOptions(exactSource, signal)),
    forecast: (accountId, bytes, files) =>
      forecast({ bytes, files }, journal.speeds(accountId), credentialLifeMs, (amount, bytesPerSecond) =>
        secondsToSend(amount, bytesPerSecond, options.bandwidth?.() ?? noLimit, clock.now()),
      ),
    isOurAsset: journal.isOurAsset,
  };
}
