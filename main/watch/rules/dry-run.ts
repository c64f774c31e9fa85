import { creationBodyOf } from '../finish/asset-name.ts';
import type { DryRun, FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { type Decision, decide } from '../state/decide.ts';
import type { Ledger } from '../state/ledger/ledger-model.ts';
import { type KnownRows, sightingOf } from '../state/source-context.ts';

const maxListed = 300;

/** Lists the sources that would be uploaded. `currentTime`: ms since the epoch. */
export async function dryRunOf(
  rule: WatchRule,
  sources: readonly FoundSource[],
  ledger: KnownRows & Pick<Ledger, 'takenSoFar'>,
  currentTime: number,
): Promise<{ readonly run: DryRun; readonly candidates: readonly FoundSource[] }> {
  const pickedUpCount = ledger.takenSoFar(rule.id);
  const candidates: FoundSource[] = [];
  const listed: DryRun['sources'][number][] = [];
  let knownCount = 0;
  let comparedCount = 0;
  for (const source of sources) {
    const decision = decide(await sightingOf(rule, source, ledger, { currentTime }));
    const outcome = outcomeOf(decision);
    if (listed.length < maxListed)
      listed.push({
        path: source.path,
        name: creationBodyOf(rule, source, currentTime, pickedUpCount + candidates.length).name,
        files: source.files.length,
        bytes: source.bytes,
        outcome,
      });
    if (outcome === 'would-be-taken') candidates.push(source);
    else if (outcome === 'would-be-compared') comparedCount += 1;
    else knownCount += 1;
  }
  const run = {
    sources: listed,
    wouldBeTaken: candidates.length,
    known: knownCount,
    ...(comparedCount > 0 ? { compared: comparedCount } : {}),
  };
  return { run, candidates };
}

function outcomeOf({ kind }: Decision): DryRun['sources'][number]['outcome'] {
  if (kind === 'take') return 'would-be-taken';
  return kind === 'compare' ? 'would-be-compared' : 'known';
}
