import type { Said } from '../../strings/phrase.ts';
import type { TileliftError } from '../errors.ts';
import type { LookThread } from '../inspect/headers/look-thread.ts';
import type { Inspector } from '../inspect/session/inspector.ts';
import type { JobService } from '../jobs/model.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../outside.ts';
import type { Random } from '../service/backoff.ts';
import type { Asset } from '../service/model.ts';
import { activityLine } from './activity.ts';
import type { SourceFindings } from './findings/source-findings.ts';
import type { FolderLeases } from './lease/lease-model.ts';
import type { Ledger } from './ledger/ledger-model.ts';
import type { LookTurns } from './look-turns.ts';
import type { WatchEnd } from './model.ts';
import type { WatchRule } from './rule.ts';
import type { FindWriter } from './settle/open-for-writing.ts';
import type { WatchTiming } from './timing.ts';
import type { Contents } from './verify/contents.ts';

/** What watching needs of the accounts for which rules create assets. */
export interface WatchAccounts {
  /** True while it is signed in and may be used. */
  isReady(accountId: string): boolean;
  /** What a person calls it, or its ID, also while nobody is signed in with it. */
  nameOf(accountId: string): string;
  /** API address of its service; null where the account is not known. */
  serviceOf(accountId: string): string | null;
  /** Throws what a failed request throws. */
  readAsset(accountId: string, assetId: number): Promise<Asset>;
}

/** What the pieces of watching work with. */
export interface WatchParts {
  readonly ledger: Ledger;
  readonly jobs: Pick<
    JobService,
    'add' | 'get' | 'act' | 'forecast' | 'sentFiles' | 'onChange' | 'accountsChanged'
  >;
  readonly accounts: WatchAccounts;
  readonly clock: Clock;
  /** monotonic ms: what settling is told by. */
  readonly elapsed: () => number;
  readonly random: Random;
  readonly timing: WatchTiming;
  /** The file that a scan's worker threads run. */
  readonly scanWorker: URL | undefined;
  /** Reads what files in watched folders name. */
  readonly looks: LookThread;
  /** Decides what kind of data a source is, and what is wrong with it. */
  readonly inspector: Inspector;
  /** In which local folders are looked through. */
  readonly lookTurns: LookTurns;
  readonly findWriter: FindWriter;
  /** What is found in the files of settled sources. */
  readonly findings: SourceFindings;
  /** What sources hold, and what was uploaded of them. */
  readonly contents: Contents;
  readonly log: Log;
  /** Why a folder may not be watched, wherever its links lead just now; null where it may. */
  readonly refuseFolder: (folder: string) => Promise<TileliftError | null>;
  /** Which computer watches the folder of a shared rule. */
  readonly leases: FolderLeases;
  /** All rules, in the order in which they were made. */
  readonly rules: () => readonly WatchRule[];
  /** A rule as it is now; undefined when it was removed. */
  readonly ruleOf: (ruleId: string) => WatchRule | undefined;
  readonly onChange: (ruleId: string) => void;
  readonly onEnd: (end: WatchEnd) => void;
}

/** Writes a line into a rule's activity log. */
export function writeActivity(
  { ledger, clock, log, ruleOf }: WatchParts,
  ruleId: string,
  ...said: readonly Said[]
): void {
  const line = activityLine(clock.now(), said);
  ledger.addActivity(ruleId, line);
  const rule = ruleOf(ruleId);
  log.info({ ruleId, ...(rule && { rule: rule.name, folder: rule.folder }) }, line.text);
}
