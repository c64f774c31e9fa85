import { creationBodyOf } from '../finish/asset-name.ts';
import type { DryRun, FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { type Decision, decide } from '../state/decide.ts';
import type { Ledger } from '../state/ledger/ledger-model.ts';
import { type KnownRows, sightingOf } from '../state/source-context.ts';

const maxListed = 300;

/** Lists the sources that would be uploaded. `now`: ms since the epoch. */
export async function dryRunOf(
  rule: WatchRule,
  sources: readonly FoundSource[],
  ledger: KnownRows & Pick<Ledger, 'takenSoFar'>,
  now: number,
): Promise<{ readonly run: DryRun; readonly taken: readonly FoundSource[] }> {
  const before = ledger.takenSoFar(rule.id);
  const taken: FoundSource[] = [];
  const listed: DryRun['sources'][number][] = [];
  let known = 0;
  let compared = 0;
  for (const found of sources) {
    const decision = decide(await sightingOf(rule, found, ledger, { now }));
    const outcome = outcomeOf(decision);
    if (listed.length < maxListed)
      listed.push({
        path: found.path,
        name: creationBodyOf(rule, found, now, before + taken.length).name,
        files: found.files.length,
        bytes: found.bytes,
        outcome,
      });
    if (outcome === 'would-be-taken') taken.push(found);
    else if (outcome === 'would-be-compared') compared += 1;
    else known += 1;
  }
  const run = { sources: listed, wouldBeTaken: taken.length, known, ...(compared > 0 ? { compared } : {}) };
  return { run, taken };
}

function outcomeOf({ kind }: Decision): DryRun['sources'][number]['outcome'] {
  if (kind === 'take') return 'would-be-taken';
  return kind === 'compare' ? 'would-be-compared' : 'known';
}
