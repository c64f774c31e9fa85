import { lookInside } from './completeness.ts';
import { doubtOfWriters } from './open-for-writing.ts';
import type { Pending } from './pending-sources.ts';
import type { WatchRule } from './rule.ts';
import { addSample, digestOf, verdictOn } from './settling.ts';
import { surveySource } from './survey.ts';

export interface SettleOptions {
  readonly rule: WatchRule;
  /** How long nothing may have changed, ms. */
  readonly settleMs: number;
  /** ms from any beginning, never set back. */
  readonly elapsed: () => number;
}

/** A source that looks odd waits this many times as long. */
const longer = 6;
/** One that somebody has open, or whose insides are not all there, is asked no more often than this, ms. */
const doubtMs = 10_000;

/**
 * Looks at a pending source once more. It is settled when its samples are equal for long enough, nobody writes to it, and what can be seen of its insides is
 * all there. Null: it is gone.
 */
export async function settleFurther(before: Pending, options: SettleOptions): Promise<Pending | null> {
  const { rule, settleMs, elapsed } = options;
  const found = await surveySource(rule, before.found.path);
  if (found === null) return null;
  const digest = await digestOf(found);
  const now = elapsed();
  const settling = addSample(before.settling, { at: now, digest });
  const isSame = digest === before.settling.digest;
  const pending: Pending = {
    ...before,
    found,
    settling,
    settled: false,
    doubt: isSame ? before.doubt : null,
    quietSince: isSame ? before.quietSince : now,
  };
  if (before.urgent) return { ...pending, settled: true, doubt: null, nextAt: Number.POSITIVE_INFINITY };
  const verdict = verdictOn(settling, settleMs);
  if (!verdict.settled) return { ...pending, nextAt: verdict.nextSampleAt };
  const doubt = (await doubtOfWriters(found)) ?? (await lookInside(found));
  if (doubt === null) return { ...pending, settled: true, doubt: null, nextAt: Number.POSITIVE_INFINITY };
  const quietEnough = now - pending.quietSince >= settleMs * longer;
  if (doubt.kind === 'wait-longer' && quietEnough)
    return { ...pending, settled: true, doubt: null, nextAt: Number.POSITIVE_INFINITY };
  return { ...pending, doubt, nextAt: now + Math.max(doubtMs, settleMs / 3) };
}
