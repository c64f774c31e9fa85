import type { Inspector } from '../../inspect/session/inspector.ts';
import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';

export interface KindParts {
  readonly inspector: Pick<Inspector, 'propose'>;
}

type RuleOfKind = Pick<WatchRule, 'kindFrom' | 'sourceType'>;

/**
 * Returns absolute paths of files that the New asset sheet excludes. Empty if the sheet would create no asset
 * of the rule's kind.
 */
export async function leftOutBy(
  rule: RuleOfKind,
  { files, paths }: Pick<FoundSource, 'files' | 'paths'>,
  { inspector }: KindParts,
): Promise<ReadonlySet<string>> {
  if (files.length < 2) return new Set();
  const { leftOut, sourceTypes } = await inspector.propose({ files, paths });
  if (rule.kindFrom !== 'content' && !sourceTypes.has(rule.sourceType)) return new Set();
  return new Set(leftOut.map((place) => files[place]?.path ?? ''));
}
