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

/** What the steps of a job work with. */
export interface JobCollaborators {
  readonly journal: Journal;
  readonly grants: UploadGrants;
  readonly owed: OwedAborts;
  readonly clock: Clock;
  readonly random: Random;
  /** Throws where the account's service may not be used. */
  readonly serviceFor: (accountId: string) => ServiceApi;
  /** Why an account's service can't be asked for anything; null where it can, as far as is known. */
  readonly whyUnready: (accountId: string) => TileliftError | null;
  /** Why a job that has no asset yet must not begin, whoever is signed in; null where it may. */
  readonly whyHeld: (jobId: string) => ErrorRecord | null;
  readonly storageFor: (location: UploadLocation) => Storage;
  /** An upload begins soon: what it needs may begin. */
  readonly prepareUpload: () => void;
  /** Why nothing may be sent there for that account; null where it may. */
  readonly refuseStorage: (location: UploadLocation, accountId: string) => TileliftError | null;
  /** How assets that are followed are: shared with whoever else follows some. */
  readonly reads: TilingReads;
  /** How often the status of an asset is asked for, ms. */
  readonly pollMs: number;
  /** Parts in flight; the transfer's own number when absent. */
  readonly parallelParts: number | undefined;
  /** From creating an asset to the end of its credentials, ms. */
  readonly credentialLifeMs: number;
  /** As `scanInPages` of the room of sources. */
  readonly scanInPages: (
    source: Pick<NewJob, 'paths' | 'exactly'>,
    onFiles: (files: readonly SourceFile[]) => void,
    signal: AbortSignal,
  ) => Promise<CountedScan>;
  /** How long so many bytes in so many files will take with this account; null while nothing has shown it. */
  readonly forecast: (accountId: string, bytes: number, files: number) => Forecast | null;
  readonly log: Log;
  /** Whether an asset belongs to a job of the journal, or was left behind by one. */
  readonly isOurAsset: (assetId: number) => boolean;
}

/** When a step is to end. */
export interface StepSignals {
  /** Pause, cancel or stop: end at once, but for a request whose answer must not be lost. */
  readonly signal: AbortSignal;
  /** The application can't wait any longer. */
  readonly lastSignal: AbortSignal;
}
