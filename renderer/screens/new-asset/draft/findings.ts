/** What was found in the files of a source, in words. */

import type { FindingGroup, FindingLevel } from '../../../../preload/contract.ts';
import { factsOf } from '../../../../shared/findings.ts';
import { formatNames, say, sayPhrase } from '../../../say.ts';
import { baseName } from '../../../words/source.ts';
import { type Draft, sourceTypesOf } from './draft.ts';

export interface FindingWords {
  /** The same as long as the finding is. */
  readonly id: string;
  readonly level: FindingLevel;
  /** `3 files have no coordinate system`. */
  readonly title: string;
  /** `dgm_04.asc, dgm_05.asc, dgm_11.asc…`; empty where it is of no file. */
  readonly examples: string;
  /** What follows, and what helps. */
  readonly detail: string;
  /** `3 of 12 files checked`. */
  readonly share: string;
  /** Its files; `more`: how many there are besides. */
  readonly keys: readonly string[];
  readonly more: number;
}

const namedExamples = 3;

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
  const examples = keys.slice(0, namedExamples).map(baseName);
  const share = looked < total ? 'sample' : count < looked ? 'some' : 'all';
  return {
    id: factsOf(id).ofWhole ? id : JSON.stringify([id, values]),
    level: factsOf(id).level,
    title: sayPhrase({ key: `findings.${id}.title`, values: { ...values, count } }),
    detail: sayPhrase({ key: `findings.${id}.detail`, values: { ...values, count } }),
    examples: `${formatNames(examples)}${count > examples.length ? '…' : ''}`,
    share: say(`findings.share.${share}`, { count, looked, total }),
    keys,
    more: count - keys.length,
  };
}
