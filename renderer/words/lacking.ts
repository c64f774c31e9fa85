/** What the files of a source lack to be put on earth, in words. */

import type { LackingView } from '../../preload/contract.ts';
import { formatCount, formatCounted } from '../../strings/format/number.ts';
import { type Draft, sourceTypesOf } from './draft.ts';
import { baseName } from './source.ts';

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
  const thing = what === 'photo-position' ? 'No position' : 'No coordinate system';
  const noun = what === 'photo-position' ? 'photo' : 'file';
  const names = `${examples.map(baseName).join(', ')}${lacking > examples.length ? '…' : ''}`;
  const where =
    looked < total
      ? `${formatCount(lacking)} of the ${formatCounted(looked, noun)} looked into (of ${formatCount(total)})`
      : looked === 1
        ? `the ${noun}`
        : `${lacking === looked ? 'any' : formatCount(lacking)} of ${formatCounted(looked, noun)}`;
  return `${thing} found in ${where}: ${names}`;
}

function advise({ what, sourceTypes }: LackingView): string {
  if (what === 'photo-position')
    return 'Photos with a position in their EXIF data put the model where it belongs.';
  if (sourceTypes.includes('POINT_CLOUD')) return 'Name it under More options, or write it into the files.';
  if (sourceTypes.includes('CITYGML'))
    return 'The service needs one, as srsName in each file; without it tiling usually fails.';
  return 'A .prj beside each of them or one inside helps; without it tiling usually fails.';
}
