import { heldSnapshot } from '../held/held-snapshot.ts';
import type { SourceSnapshot } from '../model.ts';
import type { RuleRunner } from '../rule-runner.ts';
import { pendingSnapshot, unreadableSnapshot } from '../source-snapshots.ts';
import { comparingSnapshot } from '../verify/comparing-snapshot.ts';
import type { WatchParts } from '../watch-parts.ts';

/** Sources of a rule that are not taken yet, as a person sees them, in the order in which they came. */
export function* waitingSources(
  ruleId: string,
  runner: Pick<RuleRunner, 'unreadable' | 'held' | 'comparisons' | 'pending' | 'state'> | undefined,
  { ledger, clock, elapsed, contents }: WatchParts,
): Iterable<SourceSnapshot> {
  for (const [source, path] of runner?.unreadable ?? [])
    yield unreadableSnapshot(ruleId, source, path, runner?.state.lastLookAt ?? clock.now());
  for (const one of runner?.held.all ?? [])
    yield heldSnapshot(ruleId, one, ledger.find(ruleId, one.found.path));
  for (const one of runner?.comparisons.all ?? [])
    yield comparingSnapshot(ruleId, one, ledger.find(ruleId, one.found.path));
  for (const one of runner?.pending ?? [])
    yield pendingSnapshot(ruleId, one, elapsed(), contents.percentRead(ruleId, one.found.path));
}
