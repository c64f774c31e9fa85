/** What the files of a source lack to be put on earth, in words. */

import type { LackingView } from '../../../../preload/contract.ts';
import { say } from '../../../../strings/say.ts';
import { baseName } from '../../../words/source.ts';
import { type Draft, sourceTypesOf } from './draft.ts';

export interface LackingWords {
  /** `No coordinate system found in 3 of 12 files: dgm_04.asc, dgm_05.asc…` */
  readonly finding: string;
  /** What helps. */
  readonly advice: string;
}

/** What matters to the kinds of data that the draft makes assets of; nothing where the person has named the coordinate system. */
export function describeLacking(lacking: readonly LackingView[], draft: Draft): readonly LackingWords[] {
  const types = sourceTypesOf(draft);
  const named = draft.options.inputCrs.trim() !== '';
  return lacking
    .filter(({ sourceTypes }) => sourceTypes.some((type) => types.includes(type)))
    .filter(({ sourceTypes }) => !(named && sourceTypes.includes('POINT_CLOUD')))
    .map((one) => ({ finding: describeFinding(one), advice: advise(one) }));
}

function describeFinding({ what, lacking, looked, total, examples }: LackingView): string {
  const thing = what === 'photo-position' ? 'position' : 'system';
  const where = looked < total ? 'sample' : looked === 1 ? 'one' : lacking === looked ? 'all' : 'some';
  const names = `${examples.map(baseName).join(', ')}${lacking > examples.length ? '…' : ''}`;
  return say(`newAsset.lacking.${thing}.${where}`, { lacking, looked, total, names });
}

function advise({ what, sourceTypes }: LackingView): string {
  if (what === 'photo-position') return say('newAsset.lacking.advice.photos');
  if (sourceTypes.includes('POINT_CLOUD')) return say('newAsset.lacking.advice.pointCloud');
  if (sourceTypes.includes('CITYGML')) return say('newAsset.lacking.advice.cityGml');
  return say('newAsset.lacking.advice.raster');
}
