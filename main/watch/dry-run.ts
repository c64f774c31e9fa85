import { join } from 'node:path';
import { isThere } from './folder/places.ts';
import { decide } from './ledger/decide.ts';
import type { Ledger } from './ledger/ledger-model.ts';
import type { DryRun, FoundSource } from './model.ts';
import type { WatchRule } from './rule.ts';
import { creationBodyOf } from './take-source.ts';

/** Sources that are listed by name. */
const mostListed = 300;

/** What the rule would make of these sources now. `now`: ms since the epoch. */
export function dryRunOf(
  rule: WatchRule,
  sources: readonly FoundSource[],
  ledger: Pick<Ledger, 'find' | 'withIdentity' | 'takenSoFar'>,
  now: number,
): DryRun {
  const taken = ledger.takenSoFar(rule.id);
  const listed: DryRun['sources'][number][] = [];
  let wouldBeTaken = 0;
  let known = 0;
  for (const found of sources) {
    const row = ledger.find(rule.id, found.path);
    const decision = decide({
      found,
      known: row,
      sameIdentity: row ? [] : ledger.withIdentity(rule.id, found.identity),
      rule,
      now,
      isThere: (path) => isThere(join(rule.folder, path)),
    });
    const isTaken = decision.kind === 'take';
    if (listed.length < mostListed)
      listed.push({
        path: found.path,
        name: creationBodyOf(rule, found, now, taken + wouldBeTaken).name,
        files: found.files.length,
        bytes: found.bytes,
        outcome: isTaken ? 'would-be-taken' : 'known',
      });
    if (isTaken) wouldBeTaken += 1;
    else known += 1;
  }
  return { sources: listed, wouldBeTaken, known };
}
