/** Moves pieces between assets by hand. Each piece is in one asset, in a removed one, or left out. */

import type { AssetSeen, PartedFileView, PieceView, SourceView } from '../../../../preload/contract.ts';
import { findKind } from '../../../../shared/kinds.ts';
import { hasNoPlaceOfItsOwn } from '../../../../shared/tiling-options.ts';
import { optionsText } from '../../options/options-draft.ts';
import { type Draft, type SeparateDraft, settingsOf } from './draft.ts';

type Assets = Pick<Draft, 'separate' | 'removed'>;

/** True if neither files nor options give a position: the service would place the asset anywhere. */
export function lacksPosition(
  { ownSettings: settings, sourceType }: SeparateDraft,
  facts: AssetSeen | undefined,
  draft: Draft,
): boolean {
  if (!hasNoPlaceOfItsOwn(sourceType) || (facts?.systems.length ?? 0) > 0) return false;
  const sentOptions: Record<string, unknown> = JSON.parse(
    optionsText(settings ?? settingsOf(draft), sourceType),
  );
  return !('position' in sentOptions) && !('inputCrs' in sentOptions);
}

export function leaveOutAsset(
  { separate: separateAssets, removed: removedAssets }: Assets,
  index: number,
): Assets {
  const removedAsset = separateAssets[index];
  if (!removedAsset || separateAssets.length === 1)
    return { separate: separateAssets, removed: removedAssets };
  return {
    separate: separateAssets.filter((_one, position) => position !== index),
    removed: [...removedAssets, removedAsset],
  };
}

export function bringBack(
  { separate: separateAssets, removed: removedAssets }: Assets,
  index: number,
): Assets {
  const back = removedAssets[index];
  if (!back) return { separate: separateAssets, removed: removedAssets };
  return {
    separate: [...separateAssets, back],
    removed: removedAssets.filter((_one, position) => position !== index),
  };
}

/** Merges the second asset into the first, which keeps its name, kind and settings. */
export function mergeAssets(
  { separate: separateAssets, removed: removedAssets }: Assets,
  targetIndex: number,
  addedIndex: number,
  source: SourceView,
): Assets {
  const [target, addition] = [separateAssets[targetIndex], separateAssets[addedIndex]];
  if (!target || !addition || targetIndex === addedIndex)
    return { separate: separateAssets, removed: removedAssets };
  const mergedAsset = withPieces(target, [...target.pieces, ...addition.pieces], source);
  return {
    separate: separateAssets.flatMap((asset, index) =>
      index === addedIndex ? [] : index === targetIndex ? [mergedAsset] : [asset],
    ),
    removed: removedAssets,
  };
}

export function separateAsset(
  { separate: separateAssets, removed: removedAssets }: Assets,
  index: number,
  source: SourceView,
): Assets {
  const wholeAsset = separateAssets[index];
  if (!wholeAsset || wholeAsset.pieces.length < 2)
    return { separate: separateAssets, removed: removedAssets };
  const assets = wholeAsset.pieces.map((piece): SeparateDraft => {
    const view = source.pieces[piece];
    const kind = findKind(view?.sourceType ?? '');
    const types = kind ? { assetType: kind.assetType, sourceType: kind.sourceType } : {};
    return {
      ...withPieces(wholeAsset, [piece], source),
      ...types,
      name: nameOfPiece(view) || wholeAsset.name,
    };
  });
  return {
    separate: separateAssets.flatMap((asset, position) => (position === index ? assets : [asset])),
    removed: removedAssets,
  };
}

export function includePiece(
  { separate: separateAssets, removed: removedAssets }: Assets,
  piece: number,
  targetIndex: number,
  source: SourceView,
): Assets {
  const target = separateAssets[targetIndex];
  if (!target) return { separate: separateAssets, removed: removedAssets };
  const enlargedAsset = withPieces(target, [...target.pieces, piece], source);
  return {
    separate: separateAssets.map((asset, index) => (index === targetIndex ? enlargedAsset : asset)),
    removed: removedAssets,
  };
}

/** Leaves out a piece that was added by hand, and its asset if that becomes empty. */
export function takeOutPiece(
  { separate: separateAssets, removed: removedAssets }: Assets,
  piece: number,
  source: SourceView,
): Assets {
  const assets = separateAssets.flatMap((asset) => {
    if (!asset.pieces.includes(piece)) return [asset];
    const pieces = asset.pieces.filter((index) => index !== piece);
    return pieces.length > 0 || separateAssets.length === 1 ? [withPieces(asset, pieces, source)] : [];
  });
  return { separate: assets, removed: removedAssets };
}

/** Pieces added by hand that would otherwise be left out, with their asset's name. */
export function piecesTakenIn(
  source: SourceView,
  draft: Draft,
): readonly { readonly index: number; readonly piece: PieceView; readonly into: string | null }[] {
  const addedPieces = (pieces: readonly number[], targetName: string | null) =>
    pieces.flatMap((index) => {
      const piece = source.pieces[index];
      return piece?.reason ? [{ index, piece, into: targetName }] : [];
    });
  return draft.split
    ? draft.separate.flatMap(({ pieces, name }) => addedPieces(pieces, name))
    : addedPieces(draft.pieces, null);
}

export interface LeftOutGroup extends Pick<PieceView, 'reason' | 'fileCount' | 'names'> {
  readonly places: readonly number[];
}

export function leftOutGroups(source: SourceView, draft: Draft): readonly LeftOutGroup[] {
  const places = piecesLeftOut(source, draft).flatMap((index) => {
    const piece = source.pieces[index];
    return piece ? [{ at: index, piece }] : [];
  });
  return [...Map.groupBy(places, ({ at: index, piece }) => piece.reason ?? index)].map(([, group]) => ({
    reason: group[0]?.piece.reason ?? null,
    places: group.map(({ at: index }) => index),
    fileCount: group.reduce((sum, { piece }) => sum + piece.fileCount, 0),
    names: group.flatMap(({ piece }) => piece.names).toSorted(),
  }));
}

/** The pieces after one left-out file became its own piece. */
export function withParted(
  source: SourceView,
  { at: index, rest: remainder, place, part }: PartedFileView,
): Pick<SourceView, 'pieces'> {
  const pieces = [...source.pieces];
  if (remainder) pieces[index] = remainder;
  pieces[place] = part;
  return { pieces };
}

/** Indexes of pieces in no asset: neither active, removed nor started. */
export function piecesLeftOut(source: SourceView, draft: Draft): readonly number[] {
  const assignedPieces = draft.split
    ? [...draft.separate, ...draft.removed, ...draft.started].flatMap(({ pieces }) => pieces)
    : draft.pieces;
  const insidePieces = new Set(assignedPieces);
  return source.pieces.flatMap((_piece, index) => (insidePieces.has(index) ? [] : [index]));
}

export function kindsIn(pieces: readonly number[], source: SourceView): readonly string[] {
  return [...new Set(pieces.flatMap((index) => source.pieces[index]?.sourceType || []))];
}

export function sizeOf(
  pieces: readonly number[],
  source: SourceView,
): Pick<PieceView, 'fileCount' | 'bytes'> {
  const views = pieces.flatMap((index) => source.pieces[index] ?? []);
  return {
    fileCount: views.reduce((sum, { fileCount }) => sum + fileCount, 0),
    bytes: views.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** `LoD2_Altstadt.zip` → `LoD2 Altstadt`. */
export const nameOfPiece = (piece: PieceView | undefined): string =>
  (piece?.name ?? '')
    .replace(/\.[^.]*$/, '')
    .replaceAll('_', ' ')
    .trim();

/** The asset with these pieces. Its duration scales with its bytes. */
export function withPieces(
  asset: SeparateDraft,
  pieces: readonly number[],
  source: SourceView,
): SeparateDraft {
  const size = sizeOf(pieces, source);
  const fraction = source.bytes > 0 ? size.bytes / source.bytes : 1;
  const forecast = source.forecast && {
    ...source.forecast,
    seconds: source.forecast.seconds * fraction,
    shareOfLife: source.forecast.shareOfLife * fraction,
  };
  if (arePiecesOf(asset, pieces)) return { ...asset, pieces, source: { ...asset.source, ...size, forecast } };
  const { madeBefore: _of, ...proposedSource } = asset.source;
  return { ...asset, pieces, group: null, decisions: {}, source: { ...proposedSource, ...size, forecast } };
}

const arePiecesOf = (asset: Pick<SeparateDraft, 'pieces'>, pieces: readonly number[]): boolean =>
  setOf(asset.pieces) === setOf(pieces);

const setOf = (pieces: readonly number[]): string => pieces.toSorted((a, b) => a - b).join();

/**
 * Numbers each asset: like the proposed one with the same pieces, else with a new number. `isNew`: some asset
 * wasn't proposed and isn't inspected yet.
 */
export function numberAssets(
  { separate: separateAssets, removed: removedAssets }: Assets,
  source: Pick<SourceView, 'separate'>,
): Assets & { readonly isNew: boolean } {
  const proposedByPieces = new Map(source.separate.map((asset) => [setOf(asset.pieces), asset]));
  const usedGroups = [...separateAssets, ...removedAssets].map(({ group }) => group ?? -1);
  let nextNumber = Math.max(
    source.separate.length,
    1 + usedGroups.reduce((maximum, group) => Math.max(maximum, group), -1),
  );
  let isNew = false;
  const withGroup = (asset: SeparateDraft): SeparateDraft => {
    if (asset.group !== null) return asset;
    const match = proposedByPieces.get(setOf(asset.pieces));
    if (!match) {
      isNew = true;
      return { ...asset, group: nextNumber++ };
    }
    const { madeBefore } = match;
    return {
      ...asset,
      group: match.group,
      source: madeBefore ? { ...asset.source, madeBefore } : asset.source,
    };
  };
  return { separate: separateAssets.map(withGroup), removed: removedAssets.map(withGroup), isNew };
}
