import { setImmediate } from 'node:timers/promises';
import type { DryRunLooked } from '../../../shared/watch.ts';
import type { Clock } from '../../outside.ts';
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
  readonly onProgress: (progress: DryRunLooked) => void;
}

/** Inspects the sources that a dry run would upload for reasons to hold them. */
export async function lookForHeld(
  rule: WatchRule,
  candidates: readonly FoundSource[],
  { findings, clock, newly, nameOf, onProgress }: LookParts,
  signal: AbortSignal,
): Promise<void> {
  if (rule.hold === 'never' || candidates.length === 0) return;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  const heldSources: DryRunLooked['held'][number][] = [];
  let [inspectedCount, heldCount, newlyHeld, reportedAt] = [0, 0, 0, clock.elapsed()];
  const report = (isOver: boolean) => {
    if (signal.aborted) return;
    const counts = {
      looked: inspectedCount,
      total: candidates.length,
      isOver,
      heldCount,
      ...(newlyHeld > 0 && { newlyHeld }),
    };
    onProgress({ ...counts, held: [...heldSources] });
  };
  await setImmediate();
  report(false);
  for (const [index, source] of candidates.entries()) {
    const sourceFindings = await findings.find(rule, source, inTime);
    if (inTime.aborted) break;
    inspectedCount += 1;
    const reasons = holdingBack(sourceFindings, rule.hold).map(foundPhrase);
    if (reasons.length > 0) {
      heldCount += 1;
      if (newly?.has(source.path)) newlyHeld += 1;
      const { path, files, bytes } = source;
      if (heldSources.length < maxNamed)
        heldSources.push({ path, name: nameOf(source, index), files: files.length, bytes, why: reasons });
    }
    if (clock.elapsed() - reportedAt < tellMs) continue;
    reportedAt = clock.elapsed();
    report(false);
  }
  report(true);
}
