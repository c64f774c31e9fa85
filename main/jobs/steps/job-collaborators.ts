import type { Forecast } from '../../../shared/job.ts';
import type { ErrorRecord, TileliftError } from '../../errors.ts';
import type { SourceFile } from '../../files/model.ts';
import type { CountedScan } from '../../files/walk/scan.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { Random } from '../../service/backoff.ts';
import type { ServiceApi, UploadLocation } from '../../service/model.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TilingReads } from '../../tiling/tiling-reads.ts';
import type { Journal } from '../journal/journal-model.ts';
import type { NewJob } from '../model.ts';
import type { PendingAborts } from './pending-aborts.ts';
import type { UploadGrants } from './upload-credentials.ts';

/** The dependencies of a job's steps. */
export interface JobCollaborators {
  readonly journal: Journal;
  readonly grants: UploadGrants;
  readonly pendingAborts: PendingAborts;
  readonly clock: Clock;
  readonly random: Random;
  /** Throws if the account's service can't be used. */
  readonly serviceFor: (accountId: string) => ServiceApi;
  /** Why the account's service can't be used; null if it can, as far as known. */
  readonly whyUnready: (accountId: string) => TileliftError | null;
  /** Why a job without an asset must not begin, whatever the sign-in; null if it may. */
  readonly whyHeld: (jobId: string) => ErrorRecord | null;
  readonly storageFor: (location: UploadLocation) => Storage;
  /** Called shortly before an upload. */
  readonly prepareUpload: () => void;
  /** Why this storage is refused for the account; null if it isn't. */
  readonly refuseStorage: (location: UploadLocation, accountId: string) => TileliftError | null;
  /** Shared by all followers of assets. */
  readonly reads: TilingReads;
  /** Polling interval, ms. */
  readonly pollMs: number;
  /** Parts in flight; absent: the transfer decides. */
  readonly parallelParts: number | undefined;
  /** From creating an asset to the end of its credentials, ms. */
  readonly credentialLifeMs: number;
  /** See `scanInPages` of the sources module. */
  readonly scanInPages: (
    source: Pick<NewJob, 'paths' | 'exactly'>,
    onFiles: (files: readonly SourceFile[]) => void,
    signal: AbortSignal,
  ) => Promise<CountedScan>;
  /** Estimated duration; null if unknown. */
  readonly forecast: (accountId: string, bytes: number, files: number) => Forecast | null;
  readonly log: Log;
  /** Whether a job of the journal owns the asset or left it behind. */
  readonly isOurAsset: (assetId: number) => boolean;
}

/** When a step has to end. */
export interface StepSignals {
  /** Pause, cancel or stop: end at once, except a creation request. */
  readonly signal: AbortSignal;
  /** The application can't wait any longer. */
  readonly lastSignal: AbortSignal;
}
