import { basename } from 'node:path';
import { kinds } from '../../../shared/kinds.ts';
import type { Suggestion } from '../../../shared/source.ts';
import type { FoundSource } from '../model/model.ts';
import type { NotedFinding } from '../model/noted-findings.ts';
import { createPause } from '../model/pause.ts';
import type { WatchRule } from '../model/rule.ts';
import { kindByNames } from '../scan/kind-by-names.ts';
import { mayBeOf, verdictOn } from '../scan/kinds-of-data.ts';
import { holdsData } from '../scan/skipped-files.ts';
import { decideKind } from './decide-kind.ts';
import type { KindParts } from './proposal.ts';

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
    else if (isPossible && verdictOn(name, sourceType) === 'look') pathsToInspect.push(path);
    else if (isPossible) return null;
    await pause();
  }
  if (otherKeys.length === 0 || (await holdsData(folder, pathsToInspect, sourceType))) return null;
  const suggestion = (await decideKind(source, parts).catch(() => null)) ?? kindByNames(otherKeys);
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
