import type { DryRun, FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { foundPhrase, holdingBack } from './noted-findings.ts';
import type { SourceFindings } from './source-findings.ts';

/** Sources that are looked into, and for how long in all: someone waits for the list. ms. */
const [maxShown, longestMs] = [60, 5_000];

/** A dry run with what the first sources would be held for; what there was no time for is left out. */
export async function withHeld(
  rule: WatchRule,
  run: DryRun,
  found: readonly FoundSource[],
  findings: Pick<SourceFindings, 'find'>,
  signal: AbortSignal = AbortSignal.timeout(longestMs),
): Promise<DryRun> {
  if (rule.hold === 'never') return run;
  const byPath = new Map(found.map((source) => [source.path, source]));
  const sources: DryRun['sources'][number][] = [];
  for (const one of run.sources) {
    const source = sources.length < maxShown ? byPath.get(one.path) : undefined;
    const isLookedInto = source && one.outcome === 'would-be-taken' && !signal.aborted;
    const held = isLookedInto ? holdingBack(await findings.find(rule, source, signal), rule.hold) : [];
    sources.push(held.length > 0 ? { ...one, held: held.map(foundPhrase) } : one);
  }
  return { ...run, sources };
}
