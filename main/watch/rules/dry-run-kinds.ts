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
  foundSources: readonly FoundSource[],
  parts: KindParts,
): Promise<DryRun> {
  const byPath = new Map(foundSources.map((source) => [source.path, source]));
  const sources: Listed[] = [];
  let wouldBeHeld = 0;
  for (const listed of run.sources) {
    const source = sources.length < maxShown ? byPath.get(listed.path) : undefined;
    const kindFields =
      source && listed.outcome === 'would-be-taken' ? await kindIn(rule, source, parts) : ({} as const);
    if (kindFields.held) wouldBeHeld += 1;
    sources.push({ ...listed, ...kindFields });
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
  const mismatch = await otherKind(rule, source, parts);
  if (!mismatch) return {};
  const reasons = holdingBack([mismatch.finding], rule.hold).map(foundPhrase);
  return { sourceType: mismatch.suggestion.sourceType, ...(reasons.length > 0 ? { held: reasons } : {}) };
}
