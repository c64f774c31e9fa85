/** What was found in the files of a source, in words. */

import type { FindingGroup, FindingId, FindingLevel } from '../../../../preload/contract.ts';
import { factsOf } from '../../../../shared/findings.ts';
import { say, sayPhrase } from '../../../say.ts';
import { type Draft, sourceTypesOf } from './draft.ts';

export interface FindingWords {
  /** The same as long as the finding is. */
  readonly id: string;
  /** Of several groups with other values the same. */
  readonly finding: FindingId;
  readonly level: FindingLevel;
  /** `3 files have no coordinate system`. */
  readonly title: string;
  /** As it is said of one file alone. */
  readonly titleOfOne: string;
  /** What follows, and what helps. */
  readonly detail: string;
  /** `3 of 12 files checked`. */
  readonly share: string;
  /** Its files; `more`: how many there are besides. */
  readonly keys: readonly string[];
  readonly more: number;
}

/**
 * What matters to the kinds of data that the draft makes assets of. Where the person has named the coordinate
 * system of a point cloud, its lack is none; where each becomes an asset, what they are together matters to
 * none.
 */
export function describeFindings(groups: readonly FindingGroup[], draft: Draft): readonly FindingWords[] {
  const types = sourceTypesOf(draft);
  const isNamed = draft.options.inputCrs.trim() !== '';
  return groups
    .filter(({ id }) => {
      const { sourceTypes, ofWhole } = factsOf(id);
      if ((draft.split && ofWhole) || (isNamed && id === 'no-system-points')) return false;
      return !sourceTypes || sourceTypes.some((type) => types.includes(type));
    })
    .map(describe);
}

function describe({ id, values, count, looked, total, keys }: FindingGroup): FindingWords {
  const share = looked < total ? 'sample' : count < looked ? 'some' : 'all';
  return {
    id: factsOf(id).ofWhole ? id : JSON.stringify([id, values]),
    finding: id,
    level: factsOf(id).level,
    title: sayPhrase({ key: `findings.${id}.title`, values: { ...values, count } }),
    titleOfOne: sayPhrase({ key: `findings.${id}.title`, values: { ...values, count: 1 } }),
    detail: sayPhrase({ key: `findings.${id}.detail`, values: { ...values, count } }),
    share: say(`findings.share.${share}`, { count, looked, total }),
    keys,
    more: count - keys.length,
  };
}

/** What is said of each file, by its key, in the order of the findings. */
export function notesByFile(
  findings: readonly FindingWords[],
): ReadonlyMap<string, readonly { readonly level: FindingLevel; readonly text: string }[]> {
  const notes = new Map<string, { readonly level: FindingLevel; readonly text: string }[]>();
  for (const { level, titleOfOne: text, keys } of findings) {
    for (const key of keys) {
      const ofFile = notes.get(key);
      if (ofFile) ofFile.push({ level, text });
      else notes.set(key, [{ level, text }]);
    }
  }
  return notes;
}
