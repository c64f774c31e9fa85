/** Distinguishes typed and chosen values from suggestions. */

import type { SourceView } from '../../../../preload/contract.ts';
import type { Draft, SeparateDraft } from './draft.ts';

export const fields = [
  ...(['name', 'description', 'assetType', 'sourceType', 'clampToTerrain', 'baseTerrainId'] as const),
  ...(['options', 'furtherOptions', 'leaveTaken', 'decisions'] as const),
];

export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function hasTyped(draft: Draft, suggestion: Draft): boolean {
  return (
    [...fields, 'pieces' as const, 'split' as const].some(
      (field) => !isSame(draft[field], suggestion[field]),
    ) ||
    draft.removed.length > 0 ||
    !isSame(draft.separate.map(facts), suggestion.separate.map(facts))
  );
}

const facts = ({ name, assetType, sourceType, ownSettings: settings, decisions, pieces }: SeparateDraft) => ({
  ...{ name, assetType, sourceType, ownSettings: settings, decisions, pieces },
});

/** Indexes of pieces that only the person included, or whose kind only the person determined. */
export function includedByHand({ pieces }: SourceView, draft: Draft): readonly number[] {
  const assets = draft.split ? draft.separate : [draft];
  const isByHand = (index: number, sourceType: string) =>
    pieces[index]?.reason != null || (pieces[index]?.sourceType === '' && sourceType !== '');
  return [
    ...new Set(assets.flatMap((asset) => asset.pieces.filter((index) => isByHand(index, asset.sourceType)))),
  ];
}
