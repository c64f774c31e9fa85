/** Keeps typed values when a source grows. */

import type { SourceView } from '../../../../preload/contract.ts';
import type { Draft, SeparateDraft } from './draft.ts';
import { fitTogether, type ShownAsset } from './fit-together.ts';
import { withPieces } from './proposal.ts';
import { fields, isSame } from './typed.ts';

/** The sheet's state before the addition. */
export interface Before {
  readonly source: SourceView;
  readonly suggestion: Draft;
  readonly draft: Draft;
}

/** Applies typed and chosen values to the new suggestion; `piecesAgain` of the source identifies pieces. */
export function keepTyped(
  proposal: Draft,
  source: SourceView,
  { source: was, suggestion, draft }: Before,
): Draft {
  const currentPieces = (pieces: readonly number[]) => [
    ...new Set(pieces.flatMap((index) => source.piecesAgain?.[index] ?? [])),
  ];
  const suggestedAs = (assets: readonly SeparateDraft[]) => {
    const byPlaces = new Map(assets.map((asset) => [placesOf(asset), asset]));
    return (asset: SeparateDraft, where: ShownAsset['where']): ShownAsset => ({
      ...{ asset, where, pieces: currentPieces(asset.pieces) },
      suggested: byPlaces.get(placesOf(asset)) ?? null,
    });
  };
  const typed = fields.flatMap((field) =>
    isSame(draft[field], suggestion[field]) ? [] : [[field, draft[field]]],
  );
  const pieces = [...new Set([...proposal.pieces, ...currentPieces(draft.pieces)])];
  const single: Draft = { ...proposal, ...Object.fromEntries(typed), split: false, pieces };
  const asShown = suggestedAs(suggestion.separate);
  const several = (['separate', 'removed', 'started'] as const).flatMap((where) =>
    draft[where].map((asset) => asShown(asset, where)),
  );
  const list =
    several.length > 0 && proposal.separate.length > 1 && fitTogether(several, proposal.separate, source);
  if (draft.split && list) return { ...single, split: true, ...list };
  const isCombinedByHand = suggestion.split && !draft.split;
  if (!isCombinedByHand && !draft.split) {
    const whole = suggestedAs([asOne(suggestion, was)])(asOne(draft, was), 'separate');
    const proposed = proposal.split ? proposal.separate : [asOne(proposal, source)];
    const { separate } = fitTogether([whole], proposed, source);
    const { name, assetType, sourceType } = proposal;
    if (separate.length > 1) return { ...single, name, assetType, sourceType, split: true, separate };
  }
  return { ...single, ...list };
}

function asOne(draft: Draft, source: SourceView): SeparateDraft {
  const { pieces, name, assetType, sourceType } = draft;
  const proposed = { ...source, pieces, group: 0 };
  const asset = {
    source: proposed,
    group: null,
    decisions: draft.decisions,
    ownSettings: null,
    name,
    assetType,
    sourceType,
  };
  return withPieces({ ...asset, pieces }, pieces, source);
}

const placesOf = ({ pieces }: SeparateDraft) => pieces.toSorted((a, b) => a - b).join();
