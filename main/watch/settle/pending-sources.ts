import type { NotedFinding } from '../findings/noted-findings.ts';
import type { SurveyedSource } from '../survey/found-source.ts';
import type { Doubt } from './completeness.ts';
import type { SettleTime, Weight } from './settle-time.ts';
import type { Sample } from './settling.ts';

/** A source that becomes a job once it has settled. */
export interface Pending {
  readonly found: SurveyedSource;
  /** It failed before and is retried. */
  readonly again: boolean;
  /** Equal samples, oldest first. */
  readonly samples: readonly Sample[];
  /** The quiet time that it needs. */
  readonly settleTime: SettleTime;
  /** As of the newest sample; `found` may be newer. */
  readonly weight: Weight;
  /** Why it seems unfinished although it is quiet, or null. */
  readonly doubt: Doubt | null;
  /** The problem in a settled file's bytes, or null. */
  readonly broken: NotedFinding | null;
  /** Another computer has claimed it. */
  readonly elsewhere: boolean;
  /** It was quiet for long enough and only waits for its turn. */
  readonly settled: boolean;
  /** The user wants it uploaded immediately. */
  readonly urgent: boolean;
  /** ms since the epoch. */
  readonly firstSeenAt: number;
  /** Next check, ms of the watch's own clock. */
  readonly nextAt: number;
}
