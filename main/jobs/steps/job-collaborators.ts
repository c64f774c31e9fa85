import type { Forecast } from '../../../shared/job.ts';
import type { ErrorRecord, TileliftError } from '../../errors.ts';
import type { SourceFile } from '../../files/model.ts';
import type { CountedScan } from '../../files/walk/scan.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import type { Random } from '../../service/backoff.ts';
import type { ServiceApi, UploadLocation } from '../../service/model.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TilingReads } from '../../tiling/tiling-reads.ts';
import type { Journal } from '../journal/journal-model.ts';
import type { NewJob } from '../model.ts';
import type { OwedAborts } from './owed-aborts.ts';
import type { UploadGrants } from './upload-credentials.ts';

/** The dependencies of a job's steps. */
export interface JobCollaborators {
  readonly journal: Journal;
  readonly grants: UploadGrants;
  readonly owed: OwedAborts;
  readonly clock: Clock;
  readonly random: Random;
  /** Throws if the account's service can't be used. */
  readonly serviceFor: (accountId: string) => ServiceApi;
  /** Null if the service can be used. */
  readonly whyUnready: (accountId: string) => TileliftError | null;
  /** Null if the job may begin. */
  readonly whyHeld: (jobId: string) => ErrorRecord | null;
  readonly storageFor: (location: UploadLocation) => Storage;
  readonly prepareUpload: () => void;
  /** Null if storage is allowed. */
  readonly refuseStorage: (location: UploadLocation, accountId: string) => TileliftError | null;
  readonly reads: TilingReads;
  /** Polling interval, ms. */
  readonly pollMs: number;
  /** Absent: the transfer decides. */
  readonly parallelParts: number | undefined;
  readonly credentialLifeMs: number;
  readonly scanInPages: (
    source: Pick<NewJob, 'paths' | 'exactly'>,
    onFiles: (files: readonly SourceFile[]) => void,
    signal: AbortSignal,
  ) => Promise<CountedScan>;
  /** Null if unknown. */
  readonly forecast: (accountId: string, bytes: number, files: number) => Forecast | null;
  readonly log: Log;
  readonly isOurAsset: (assetId: number) => boolean;
}

/** When a step has to end. */
export interface StepSignals {
  /** Ends everything except a creation request. */
  readonly signal: AbortSignal;
  /** The application can't wait any longer. */
  readonly lastSignal: AbortSignal;
}
