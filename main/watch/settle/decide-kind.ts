import { mayBeClamped } from '../../../shared/assets.ts';
import { furtherOptions } from '../../../shared/creation-options.ts';
import type { Suggestion } from '../../../shared/source.ts';
import { sharesOption } from '../../../shared/tiling-options.ts';
import { TileliftError } from '../../errors.ts';
import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { nameOf } from '../model/words.ts';
import type { KindParts } from './proposal.ts';

/**
 * Returns the rule for this source. If the content decides the kind, the rule gets its type, kind and
 * applicable options.
 *
 * @throws TileliftError `watch-kind-undecided`
 */
export async function ruleFor(rule: WatchRule, source: FoundSource, parts: KindParts): Promise<WatchRule> {
  if (rule.kindFrom === 'rule') return rule;
  const kind = await decideKind(source, parts);
  if (!kind) throw new TileliftError('watch-kind-undecided', { subject: nameOf(rule, source.path) });
  const { assetType, sourceType } = kind;
  return {
    ...rule,
    assetType,
    sourceType,
    clampToTerrain: mayBeClamped(assetType) && rule.clampToTerrain,
    options: fittingOptions(rule.options, sourceType),
  };
}

/** Returns the suggestion of the New asset sheet; null if unknown or ambiguous. */
export async function decideKind(
  { files, paths }: Pick<FoundSource, 'files' | 'paths'>,
  { inspector }: KindParts,
): Promise<Suggestion | null> {
  return (await inspector.propose({ files, paths })).suggestion;
}

/** Keeps the further options (as text) that apply to the kind. */
export function fittingOptions(options: string, sourceType: string): string {
  const fitting = Object.entries(furtherOptions(options)).filter(([name]) => sharesOption(sourceType, name));
  return JSON.stringify(Object.fromEntries(fitting));
}
