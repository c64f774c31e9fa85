import type { NotedFinding } from '../findings/noted-findings.ts';
import type { SurveyedSource } from '../survey/found-source.ts';
import type { Doubt } from './completeness.ts';
import type { SettleTime, Weight } from './settle-time.ts';
import type { Sample } from './settling.ts';

/** A source that is to become a job once it is finished. */
export interface Pending {
  readonly found: SurveyedSource;
  /** It failed before and is tried once more. */
  readonly again: boolean;
  /** Equal ones, the oldest first. */
  readonly samples: readonly Sample[];
  /** How long they are to be equal. */
  readonly settleTime: SettleTime;
  /** When the newest of them was taken; `found` may have been looked at since. */
  readonly weight: Weight;
  /** Why it seems not to be finished although it is quiet; null when nothing speaks against it. */
  readonly doubt: Doubt | null;
  /** What its bytes show of a file although nothing moves any more; null for nothing. */
  readonly broken: NotedFinding | null;
  /** Another computer has claimed it. */
  readonly elsewhere: boolean;
  /** Quiet for long enough: it waits for its turn only. */
  readonly settled: boolean;
  /** A person wants it without waiting. */
  readonly urgent: boolean;
  /** ms since the epoch. */
  readonly firstSeenAt: number;
  /** Of the watch's own clock, ms: when it is to be looked at next. */
  readonly nextAt: number;
}
