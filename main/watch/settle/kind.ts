import { basename } from 'node:path';
import { mayBeClamped } from '../../../shared/assets.ts';
import { furtherOptions, withTilesetRoot } from '../../../shared/creation-options.ts';
import { kinds } from '../../../shared/kinds.ts';
import type { Suggestion } from '../../../shared/source.ts';
import { sharesOption } from '../../../shared/tiling-options.ts';
import { TileliftError } from '../../errors.ts';
import { mayBeOf, suggestByNames, verdictOn } from '../../inspect/data-extensions.ts';
import type { Inspector } from '../../inspect/session/inspector.ts';
import { createPause } from '../../work-line.ts';
import type { FoundSource } from '../model/model.ts';
import type { NotedFinding } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import { nameOf } from '../model/source-names.ts';
import { holdsData, type ReadBeginning } from '../scan/skipped-files.ts';

export interface KindParts {
  readonly inspector: Pick<Inspector, 'propose' | 'readBeginning'>;
}

type RuleOfKind = Pick<WatchRule, 'folder' | 'kindFrom' | 'sourceType'>;

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
  const { leftOut, sourceTypes } = await inspector.propose({ folder: rule.folder, files, paths });
  if (rule.kindFrom !== 'content' && !sourceTypes.has(rule.sourceType)) return new Set();
  return new Set(leftOut.map((place) => files[place]?.path ?? ''));
}

/**
 * Returns the rule for this source. If the content decides the kind, the rule gets its type, kind and
 * applicable options.
 *
 * @throws TileliftError `watch-kind-undecided`
 */
export async function ruleFor(rule: WatchRule, source: FoundSource, parts: KindParts): Promise<WatchRule> {
  if (rule.kindFrom === 'rule') return withRootOf(rule, source, parts);
  const kind = await decideKind(rule, source, parts);
  if (!kind) throw new TileliftError('watch-kind-undecided', { subject: nameOf(rule, source.path) });
  const { assetType, sourceType } = kind;
  const ruleOfKind = {
    ...rule,
    assetType,
    sourceType,
    clampToTerrain: mayBeClamped(assetType) && rule.clampToTerrain,
    options: fittingOptions(rule.options, sourceType),
  };
  return withRootOf(ruleOfKind, source, parts);
}

/** Names a tileset's root in the options unless it is `tileset.json`. */
async function withRootOf(
  rule: WatchRule,
  source: FoundSource,
  { inspector }: KindParts,
): Promise<WatchRule> {
  if (rule.sourceType !== '3DTILES') return rule;
  const { folder } = rule;
  const { files, paths } = source;
  const proposal = await inspector.propose({ folder, files, paths }).catch(() => null);
  return { ...rule, options: withTilesetRoot(rule.options, rule.sourceType, proposal?.tilesetRoot) };
}

/** Returns the suggestion of the New asset sheet; null if unknown or ambiguous. */
export async function decideKind(
  { folder }: Pick<WatchRule, 'folder'>,
  { files, paths }: Pick<FoundSource, 'files' | 'paths'>,
  { inspector }: KindParts,
): Promise<Suggestion | null> {
  return (await inspector.propose({ folder, files, paths })).suggestion;
}

/** Keeps the further options (as text) that apply to the kind. */
export function fittingOptions(options: string, sourceType: string): string {
  const fitting = Object.entries(furtherOptions(options)).filter(([name]) => sharesOption(sourceType, name));
  return JSON.stringify(Object.fromEntries(fitting));
}

const maxNamed = 3;

/** A source of another kind than its rule expects. */
export interface OtherKind {
  readonly suggestion: Suggestion;
  readonly finding: NotedFinding;
}

/**
 * Detects a source of another kind than its rule's: no file can be of the rule's kind by its extension or
 * content, and the actual kind is recognised. Null if uncertain; never throws.
 */
export async function otherKind(
  { kindFrom, sourceType, folder }: Pick<WatchRule, 'kindFrom' | 'sourceType' | 'folder'>,
  source: Pick<FoundSource, 'files' | 'paths'>,
  parts: KindParts,
): Promise<OtherKind | null> {
  const expected = kinds.find((kind) => kind.sourceType === sourceType);
  if (kindFrom !== 'rule' || !expected) return null;
  const otherKeys: string[] = [];
  const pathsToInspect: string[] = [];
  const pause = createPause();
  for (const { key, path } of source.files) {
    const name = basename(key);
    const isPossible = mayBeOf(name, sourceType);
    if (isPossible === false) otherKeys.push(key);
    else if (isPossible && verdictOn(name, sourceType) === 'inspect') pathsToInspect.push(path);
    else if (isPossible) return null;
    await pause();
  }
  const readBeginning: ReadBeginning = (path, length) => parts.inspector.readBeginning(folder, path, length);
  if (otherKeys.length === 0 || (await holdsData(pathsToInspect, sourceType, readBeginning))) return null;
  const suggestion =
    (await decideKind({ folder }, source, parts).catch(() => null)) ?? suggestByNames(otherKeys);
  if (!suggestion || suggestion.sourceType === sourceType) return null;
  const expectedKind = { key: `kinds.source.${expected.sourceType}` } as const;
  return {
    suggestion,
    finding: {
      ...{
        id: 'rule-kind',
        values: { found: suggestion.kind, wanted: expectedKind },
        count: otherKeys.length,
      },
      files: otherKeys.slice(0, maxNamed),
    },
  };
}
