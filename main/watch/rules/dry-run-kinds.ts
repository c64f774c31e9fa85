import type { DryRun, FoundSource } from '../model/model.ts';
import { foundPhrase, holdingBack } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import { decideKind } from '../settle/decide-kind.ts';
import { otherKind } from '../settle/other-kind.ts';
import type { KindParts } from '../settle/proposal.ts';

const maxShown = 60;

type Listed = DryRun['sources'][number];

/**
 * Adds the detected kinds of the first sources, or under a rule with a fixed kind, those that would be held.
 */
export async function withKinds(
  rule: WatchRule,
  run: DryRun,
  found: readonly FoundSource[],
  parts: KindParts,
): Promise<DryRun> {
  const byPath = new Map(found.map((source) => [source.path, source]));
  const sources: Listed[] = [];
  let wouldBeHeld = 0;
  for (const one of run.sources) {
    const source = sources.length < maxShown ? byPath.get(one.path) : undefined;
    const told =
      source && one.outcome === 'would-be-taken' ? await kindIn(rule, source, parts) : ({} as const);
    if (told.held) wouldBeHeld += 1;
    sources.push({ ...one, ...told });
  }
  return { ...run, sources, ...(wouldBeHeld > 0 ? { wouldBeHeld } : {}) };
}

async function kindIn(
  rule: WatchRule,
  source: FoundSource,
  parts: KindParts,
): Promise<Pick<Listed, 'sourceType' | 'held'>> {
  if (rule.kindFrom === 'content')
    return { sourceType: (await decideKind(source, parts))?.sourceType ?? null };
  const other = await otherKind(rule, source, parts);
  if (!other) return {};
  const held = holdingBack([other.finding], rule.hold).map(foundPhrase);
  return { sourceType: other.seen.sourceType, ...(held.length > 0 ? { held } : {}) };
}
