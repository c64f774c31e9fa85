import type { RuleSnapshot } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';

/** A rule whose folder hasn't been scanned. */
export const untriedRule = (rule: WatchRule): RuleSnapshot => ({
  rule,
  state: 'looking',
  notice: null,
  isNetworkDrive: false,
  counts: { settling: 0, waiting: 0, underWay: 0, complete: 0, failed: 0, held: 0, leftAlone: 0 },
  question: null,
  lastTakenAt: null,
  waitingSince: null,
  lastLookAt: null,
});
