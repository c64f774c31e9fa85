import { type Decision, decide } from './ledger/decide.ts';
import type { Ledger } from './ledger/ledger-model.ts';
import { creationBodyOf } from './life/asset-name.ts';
import type { DryRun, FoundSource } from './model.ts';
import type { WatchRule } from './rule.ts';
import { type KnownRows, sightingOf } from './verify/sighting.ts';
import { shiftNow } from './verify/whole-shift.ts';

/** Sources that are listed by name. */
const maxListed = 300;

/** What the rule would make of these sources now. `now`: ms since the epoch. */
export async function dryRunOf(
  rule: WatchRule,
  sources: readonly FoundSource[],
  ledger: KnownRows & Pick<Ledger, 'takenSoFar'>,
  now: number,
): Promise<DryRun> {
  const taken = ledger.takenSoFar(rule.id);
  const listed: DryRun['sources'][number][] = [];
  let wouldBeTaken = 0;
  let known = 0;
  let compared = 0;
  const shiftMs = await shiftNow(rule, sources, ledger, 0);
  for (const found of sources) {
    const decision = decide(await sightingOf(rule, found, ledger, { now, shiftMs }));
    const outcome = outcomeOf(decision);
    if (listed.length < maxListed)
      listed.push({
        path: found.path,
        name: creationBodyOf(rule, found, now, taken + wouldBeTaken).name,
        files: found.files.length,
        bytes: found.bytes,
        outcome,
      });
    if (outcome === 'would-be-taken') wouldBeTaken += 1;
    else if (outcome === 'would-be-compared') compared += 1;
    else known += 1;
  }
  return { sources: listed, wouldBeTaken, known, ...(compared > 0 ? { compared } : {}) };
}

function outcomeOf({ kind }: Decision): DryRun['sources'][number]['outcome'] {
  if (kind === 'take') return 'would-be-taken';
  return kind === 'compare' ? 'would-be-compared' : 'known';
}
