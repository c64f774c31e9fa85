/** Keeps typed values when a source grows. */

import type { SourceView } from '../../../../preload/contract.ts';
import type { Draft, SeparateDraft } from './draft.ts';
import { fitTogether, type ShownAsset } from './fit-together.ts';
import { withPieces } from './proposal.ts';
import { fields, isSame } from './typed.ts';

/** The sheet's state before the addition. */
export interface Before {
  readonly source: SourceView;
  /** The suggestion. */
  readonly first: Draft;
  readonly draft: Draft;
}

/** Applies typed and chosen values to the new suggestion; `piecesAgain` of the source identifies pieces. */
export function keepTyped(next: Draft, source: SourceView, { source: was, first, draft }: Before): Draft {
  const again = (pieces: readonly number[]) => [
    ...new Set(pieces.flatMap((at) => source.piecesAgain?.[at] ?? [])),
  ];
  const suggestedAs = (assets: readonly SeparateDraft[]) => {
    const byPlaces = new Map(assets.map((one) => [placesOf(one), one]));
    return (asset: SeparateDraft, where: ShownAsset['where']): ShownAsset => ({
      ...{ asset, where, pieces: again(asset.pieces) },
      suggested: byPlaces.get(placesOf(asset)) ?? null,
    });
  };
  const typed = fields.flatMap((field) =>
    isSame(draft[field], first[field]) ? [] : [[field, draft[field]]],
  );
  const pieces = [...new Set([...next.pieces, ...again(draft.pieces)])];
  const one: Draft = { ...next, ...Object.fromEntries(typed), split: false, pieces };
  const shown = suggestedAs(first.separate);
  const several = (['separate', 'removed', 'started'] as const).flatMap((where) =>
    draft[where].map((asset) => shown(asset, where)),
  );
  const list = several.length > 0 && next.separate.length > 1 && fitTogether(several, next.separate, source);
  if (draft.split && list) return { ...one, split: true, ...list };
  const isCombinedByHand = first.split && !draft.split;
  if (!isCombinedByHand && !draft.split) {
    const whole = suggestedAs([asOne(first, was)])(asOne(draft, was), 'separate');
    const proposed = next.split ? next.separate : [asOne(next, source)];
    const { separate } = fitTogether([whole], proposed, source);
    const { name, assetType, sourceType } = next;
    if (separate.length > 1) return { ...one, name, assetType, sourceType, split: true, separate };
  }
  return { ...one, ...list };
}

/** The single asset in the form of a separate one. */
function asOne(draft: Draft, source: SourceView): SeparateDraft {
  const { pieces, name, assetType, sourceType } = draft;
  const proposed = { ...source, pieces, group: 0 };
  const asset = {
    source: proposed,
    group: null,
    decisions: draft.decisions,
    own: null,
    name,
    assetType,
    sourceType,
  };
  return withPieces({ ...asset, pieces }, pieces, source);
}

const placesOf = ({ pieces }: SeparateDraft) => pieces.toSorted((a, b) => a - b).join();
