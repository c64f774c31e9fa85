import type { NotedFinding } from '../model/noted-findings.ts';
import type { SurveyedSource } from '../scan/found-source.ts';
import type { Doubt } from './completeness.ts';
import type { SettleTime, Weight } from './settle-time.ts';
import type { Sample } from './settling.ts';

/** A source that becomes a job once it has settled. */
export interface Pending {
  readonly source: SurveyedSource;
  readonly isRetry: boolean;
  /** Equal samples, oldest first. */
  readonly samples: readonly Sample[];
  readonly settleTime: SettleTime;
  /** As of the newest sample; `source` may be newer. */
  readonly weight: Weight;
  readonly doubt: Doubt | null;
  readonly broken: NotedFinding | null;
  readonly elsewhere: boolean;
  /** Quiet for long enough; only waits for its turn. */
  readonly settled: boolean;
  readonly urgent: boolean;
  /** ms since the epoch. */
  readonly firstSeenAt: number;
  /** ms of the watch's own clock. */
  readonly nextAt: number;
}
