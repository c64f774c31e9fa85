/** What a person has typed or chosen in the sheet, told from what was suggested. */

import type { SourceView } from '../../../../preload/contract.ts';
import type { Draft, SeparateDraft } from './draft.ts';

/** Of a draft, those that a person fills in. */
export const fields = [
  ...(['name', 'description', 'assetType', 'sourceType', 'clampToTerrain', 'baseTerrainId'] as const),
  ...(['options', 'furtherOptions', 'leaveTaken', 'decisions'] as const),
];

/** By value. */
export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Whether the draft differs from the one that was suggested first. */
export function hasTyped(draft: Draft, first: Draft): boolean {
  return (
    [...fields, 'pieces' as const, 'split' as const].some((field) => !isSame(draft[field], first[field])) ||
    draft.removed.length > 0 ||
    !isSame(draft.separate.map(facts), first.separate.map(facts))
  );
}

const facts = ({ name, assetType, sourceType, own, decisions, pieces }: SeparateDraft) => ({
  ...{ name, assetType, sourceType, own, decisions, pieces },
});

/**
 * Places of the pieces that are in assets because a person wants that: they would be left out, or nobody but
 * them has said what they are.
 */
export function includedByHand({ pieces }: SourceView, draft: Draft): readonly number[] {
  const assets = draft.split ? draft.separate : [draft];
  const isByHand = (at: number, sourceType: string) =>
    pieces[at]?.reason != null || (pieces[at]?.sourceType === '' && sourceType !== '');
  return [...new Set(assets.flatMap((one) => one.pieces.filter((at) => isByHand(at, one.sourceType))))];
}
