import { setImmediate } from 'node:timers/promises';
import type { DryRunLooked } from '../../../shared/watch.ts';
import type { Clock } from '../../ports.ts';
import type { FoundSource } from '../model/model.ts';
import { foundPhrase, holdingBack } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import type { SourceFindings } from '../settle/source-findings.ts';

const maxNamed = 60;
/** Time limit, and the interval of updates, ms. */
const [longestMs, tellMs] = [120_000, 500];

interface LookParts {
  readonly findings: Pick<SourceFindings, 'find'>;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Sources that only the changed rule picks up. Default: none. */
  readonly newly?: ReadonlySet<string>;
  readonly nameOf: (source: FoundSource, index: number) => string;
  /** The last call has `isOver`, unless the signal aborts. */
  readonly tell: (looked: DryRunLooked) => void;
}

/** Inspects the sources that a dry run would upload for reasons to hold them. */
export async function lookForHeld(
  rule: WatchRule,
  taken: readonly FoundSource[],
  { findings, clock, newly, nameOf, tell }: LookParts,
  signal: AbortSignal,
): Promise<void> {
  if (rule.hold === 'never' || taken.length === 0) return;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  const held: DryRunLooked['held'][number][] = [];
  let [looked, heldCount, newlyHeld, toldAt] = [0, 0, 0, clock.elapsed()];
  const say = (isOver: boolean) => {
    if (signal.aborted) return;
    const counts = { looked, total: taken.length, isOver, heldCount, ...(newlyHeld > 0 && { newlyHeld }) };
    tell({ ...counts, held: [...held] });
  };
  await setImmediate();
  say(false);
  for (const [index, source] of taken.entries()) {
    const found = await findings.find(rule, source, inTime);
    if (inTime.aborted) break;
    looked += 1;
    const why = holdingBack(found, rule.hold).map(foundPhrase);
    if (why.length > 0) {
      heldCount += 1;
      if (newly?.has(source.path)) newlyHeld += 1;
      const { path, files, bytes } = source;
      if (held.length < maxNamed)
        held.push({ path, name: nameOf(source, index), files: files.length, bytes, why });
    }
    if (clock.elapsed() - toldAt < tellMs) continue;
    toldAt = clock.elapsed();
    say(false);
  }
  say(true);
}
