import type { Said } from '../../../strings/phrase.ts';
import type { TileliftError } from '../../errors.ts';
import type { InspectionThread } from '../../inspect/headers/inspection-thread.ts';
import type { Inspector } from '../../inspect/session/inspector.ts';
import type { JobService } from '../../jobs/model.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { Random } from '../../service/backoff.ts';
import type { Asset } from '../../service/model.ts';
import { activityLine } from '../model/activity.ts';
import type { FolderLeases } from '../model/lease-model.ts';
import type { WatchEnd } from '../model/model.ts';
import type { WatchRule, WatchTiming } from '../model/rule.ts';
import type { LookTurns } from '../model/scheduling.ts';
import type { FindWriter } from '../settle/open-for-writing.ts';
import type { SourceFindings } from '../settle/source-findings.ts';
import type { Contents } from './contents.ts';
import type { Ledger } from './ledger/ledger-model.ts';

/** Access to the accounts of rules. */
export interface WatchAccounts {
  /** Signed in and usable. */
  isReady(accountId: string): boolean;
  /** Display name or ID, also while signed out. */
  nameOf(accountId: string): string;
  /** Null for an unknown account. */
  serviceOf(accountId: string): string | null;
  /** Throws the error of a failed request. */
  readAsset(accountId: string, assetId: number): Promise<Asset>;
}

/** Shared dependencies of the watch modules. */
export interface WatchParts {
  readonly ledger: Ledger;
  readonly jobs: Pick<
    JobService,
    'add' | 'get' | 'act' | 'forecast' | 'sentFiles' | 'onChange' | 'accountsChanged'
  >;
  readonly accounts: WatchAccounts;
  readonly clock: Clock;
  /** Monotonic, ms; measures settling. */
  readonly elapsed: () => number;
  readonly random: Random;
  readonly timing: WatchTiming;
  readonly scanWorker: URL | undefined;
  readonly looks: InspectionThread;
  readonly inspector: Inspector;
  readonly lookTurns: LookTurns;
  readonly findWriter: FindWriter;
  readonly findings: SourceFindings;
  readonly contents: Contents;
  readonly log: Log;
  /** Returns null if allowed. Follows current links. */
  readonly refuseFolder: (folder: string) => Promise<TileliftError | null>;
  readonly leases: FolderLeases;
  /** In creation order. */
  readonly rules: () => readonly WatchRule[];
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
