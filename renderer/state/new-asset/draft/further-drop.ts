/** Keeps typed values when a source grows. */

import type { SourceView } from '../../../../preload/contract.ts';
import type { Draft, SeparateDraft } from './draft.ts';
import { fitTogether, type ShownAsset } from './fit-together.ts';
import { withPieces } from './proposal.ts';
import { fields, isSame } from './typed.ts';

/** The sheet's state before the addition. */
export interface PreviousDrop {
  readonly source: SourceView;
  readonly suggestion: Draft;
  readonly draft: Draft;
}

/** Applies typed and chosen values to the new suggestion; `piecesAgain` of the source identifies pieces. */
export function keepTyped(
  proposal: Draft,
  source: SourceView,
  { source: previousSource, suggestion, draft }: PreviousDrop,
): Draft {
  const currentPieces = (pieces: readonly number[]) => [
    ...new Set(pieces.flatMap((index) => source.piecesAgain?.[index] ?? [])),
  ];
  const suggestedAs = (assets: readonly SeparateDraft[]) => {
    const byPlaces = new Map(assets.map((asset) => [placesOf(asset), asset]));
    return (asset: SeparateDraft, listName: ShownAsset['where']): ShownAsset => ({
      ...{ asset, where: listName, pieces: currentPieces(asset.pieces) },
      suggested: byPlaces.get(placesOf(asset)) ?? null,
    });
  };
  const enteredFields = fields.flatMap((field) =>
    isSame(draft[field], suggestion[field]) ? [] : [[field, draft[field]]],
  );
  const pieces = [...new Set([...proposal.pieces, ...currentPieces(draft.pieces)])];
  const singleDraft: Draft = { ...proposal, ...Object.fromEntries(enteredFields), split: false, pieces };
  const asShown = suggestedAs(suggestion.separate);
  const severalAssets = (['separate', 'removed', 'started'] as const).flatMap((listName) =>
    draft[listName].map((asset) => asShown(asset, listName)),
  );
  const list =
    severalAssets.length > 0 &&
    proposal.separate.length > 1 &&
    fitTogether(severalAssets, proposal.separate, source);
  if (draft.split && list) return { ...singleDraft, split: true, ...list };
  const isCombinedByHand = suggestion.split && !draft.split;
  if (!isCombinedByHand && !draft.split) {
    const shownWhole = suggestedAs([asSingleAsset(suggestion, previousSource)])(
      asSingleAsset(draft, previousSource),
      'separate',
    );
    const proposedAssets = proposal.split ? proposal.separate : [asSingleAsset(proposal, source)];
    const { separate: separateAssets } = fitTogether([shownWhole], proposedAssets, source);
    const { name, assetType, sourceType } = proposal;
    if (separateAssets.length > 1)
      return { ...singleDraft, name, assetType, sourceType, split: true, separate: separateAssets };
  }
  return { ...singleDraft, ...list };
}

function asSingleAsset(draft: Draft, source: SourceView): SeparateDraft {
  const { pieces, name, assetType, sourceType } = draft;
  const proposedSource = { ...source, pieces, group: 0 };
  const asset = {
    source: proposedSource,
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
