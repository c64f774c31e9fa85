/** Moving pieces of a drop from asset to asset by hand: each is in one asset, in one removed, or left out. */

import type { AssetSeen, PartedFileView, PieceView, SourceView } from '../../../../preload/contract.ts';
import { findKind, hasNoPlaceOfItsOwn } from '../../../../shared/kinds.ts';
import { optionsText } from '../../options/options-draft.ts';
import { type Draft, type SeparateDraft, settingsOf } from './draft.ts';

type Assets = Pick<Draft, 'separate' | 'removed'>;

/** Nothing says where it is, neither its files nor an option: the service would place it anywhere. */
export function lacksPosition(
  { own, sourceType }: SeparateDraft,
  seen: AssetSeen | undefined,
  draft: Draft,
): boolean {
  if (!hasNoPlaceOfItsOwn(sourceType) || (seen?.systems.length ?? 0) > 0) return false;
  const sent: Record<string, unknown> = JSON.parse(optionsText(own ?? settingsOf(draft), sourceType));
  return !('position' in sent) && !('inputCrs' in sent);
}

/** The asset is left out, and can be brought back. */
export function leaveOutAsset({ separate, removed }: Assets, index: number): Assets {
  const gone = separate[index];
  if (!gone || separate.length === 1) return { separate, removed };
  return { separate: separate.filter((_one, at) => at !== index), removed: [...removed, gone] };
}

export function bringBack({ separate, removed }: Assets, index: number): Assets {
  const back = removed[index];
  if (!back) return { separate, removed };
  return { separate: [...separate, back], removed: removed.filter((_one, at) => at !== index) };
}

/** The second goes into the first, which keeps its name, kind and settings. */
export function mergeAssets(
  { separate, removed }: Assets,
  into: number,
  from: number,
  source: SourceView,
): Assets {
  const [one, other] = [separate[into], separate[from]];
  if (!one || !other || into === from) return { separate, removed };
  const merged = withPieces(one, [...one.pieces, ...other.pieces], source);
  return {
    separate: separate.flatMap((each, at) => (at === from ? [] : at === into ? [merged] : [each])),
    removed,
  };
}

/** An asset for each of its pieces. */
export function separateAsset({ separate, removed }: Assets, index: number, source: SourceView): Assets {
  const whole = separate[index];
  if (!whole || whole.pieces.length < 2) return { separate, removed };
  const each = whole.pieces.map((piece): SeparateDraft => {
    const view = source.pieces[piece];
    const kind = findKind(view?.sourceType ?? '');
    const own = kind ? { assetType: kind.assetType, sourceType: kind.sourceType } : {};
    return { ...withPieces(whole, [piece], source), ...own, name: nameOfPiece(view) || whole.name };
  });
  return { separate: separate.flatMap((one, at) => (at === index ? each : [one])), removed };
}

/** A piece that was left out goes into an asset. */
export function includePiece(
  { separate, removed }: Assets,
  piece: number,
  into: number,
  source: SourceView,
): Assets {
  const one = separate[into];
  if (!one) return { separate, removed };
  const whole = withPieces(one, [...one.pieces, piece], source);
  return { separate: separate.map((each, at) => (at === into ? whole : each)), removed };
}

/** A piece that was put into an asset by hand is left out again; an asset of nothing else goes with it. */
export function takeOutPiece({ separate, removed }: Assets, piece: number, source: SourceView): Assets {
  const next = separate.flatMap((one) => {
    if (!one.pieces.includes(piece)) return [one];
    const pieces = one.pieces.filter((at) => at !== piece);
    return pieces.length > 0 || separate.length === 1 ? [withPieces(one, pieces, source)] : [];
  });
  return { separate: next, removed };
}

/** Pieces that would be left out and were put into an asset by hand, and the name of that. */
export function piecesTakenIn(
  source: SourceView,
  draft: Draft,
): readonly { readonly at: number; readonly piece: PieceView; readonly into: string | null }[] {
  const taken = (pieces: readonly number[], into: string | null) =>
    pieces.flatMap((at) => {
      const piece = source.pieces[at];
      return piece?.reason ? [{ at, piece, into }] : [];
    });
  return draft.split
    ? draft.separate.flatMap(({ pieces, name }) => taken(pieces, name))
    : taken(draft.pieces, null);
}

/** Of what is left out, what has one reason; null for what has none. */
export interface LeftOutGroup extends Pick<PieceView, 'reason' | 'fileCount' | 'names'> {
  /** Places of its pieces. */
  readonly places: readonly number[];
}

export function leftOutGroups(source: SourceView, draft: Draft): readonly LeftOutGroup[] {
  const places = piecesLeftOut(source, draft).flatMap((at) => {
    const piece = source.pieces[at];
    return piece ? [{ at, piece }] : [];
  });
  return [...Map.groupBy(places, ({ at, piece }) => piece.reason ?? at)].map(([, own]) => ({
    reason: own[0]?.piece.reason ?? null,
    places: own.map(({ at }) => at),
    fileCount: own.reduce((sum, { piece }) => sum + piece.fileCount, 0),
    names: own.flatMap(({ piece }) => piece.names).toSorted(),
  }));
}

/** The pieces, once a file of what is left out is a piece of its own. */
export function withParted(
  source: SourceView,
  { at, rest, place, part }: PartedFileView,
): Pick<SourceView, 'pieces'> {
  const pieces = [...source.pieces];
  if (rest) pieces[at] = rest;
  pieces[place] = part;
  return { pieces };
}

/** Places of the pieces that are in no asset, in none that was removed, and in none that is under way. */
export function piecesLeftOut(source: SourceView, draft: Draft): readonly number[] {
  const kept = draft.split
    ? [...draft.separate, ...draft.removed, ...draft.started].flatMap(({ pieces }) => pieces)
    : draft.pieces;
  const inside = new Set(kept);
  return source.pieces.flatMap((_piece, at) => (inside.has(at) ? [] : [at]));
}

/** The kinds of data in an asset, as its pieces are; of all that goes up, where there is one asset. */
export function kindsIn(pieces: readonly number[], source: SourceView): readonly string[] {
  return [...new Set(pieces.flatMap((at) => source.pieces[at]?.sourceType || []))];
}

/** Files of some pieces, and their bytes. */
export function sizeOf(
  pieces: readonly number[],
  source: SourceView,
): Pick<PieceView, 'fileCount' | 'bytes'> {
  const own = pieces.flatMap((at) => source.pieces[at] ?? []);
  return {
    fileCount: own.reduce((sum, { fileCount }) => sum + fileCount, 0),
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** `LoD2_Altstadt.zip` → `LoD2 Altstadt`. */
export const nameOfPiece = (piece: PieceView | undefined): string =>
  (piece?.name ?? '')
    .replace(/\.[^.]*$/, '')
    .replaceAll('_', ' ')
    .trim();

/** The asset, of these pieces. How long it takes grows with its bytes, as far as the whole drop tells. */
export function withPieces(
  asset: SeparateDraft,
  pieces: readonly number[],
  source: SourceView,
): SeparateDraft {
  const size = sizeOf(pieces, source);
  const share = source.bytes > 0 ? size.bytes / source.bytes : 1;
  const forecast = source.forecast && {
    ...source.forecast,
    seconds: source.forecast.seconds * share,
    shareOfLife: source.forecast.shareOfLife * share,
  };
  if (arePiecesOf(asset, pieces)) return { ...asset, pieces, source: { ...asset.source, ...size, forecast } };
  const { madeBefore: _of, ...proposed } = asset.source;
  return { ...asset, pieces, group: null, decisions: {}, source: { ...proposed, ...size, forecast } };
}

const arePiecesOf = (asset: Pick<SeparateDraft, 'pieces'>, pieces: readonly number[]): boolean =>
  setOf(asset.pieces) === setOf(pieces);

const setOf = (pieces: readonly number[]): string => pieces.toSorted((a, b) => a - b).join();

/**
 * Gives a number to each asset that has none: that of the proposed one of the same pieces, else a new one.
 * `isNew`: there is one that was not proposed, of which nothing is seen yet.
 */
export function numberAssets(
  { separate, removed }: Assets,
  source: Pick<SourceView, 'separate'>,
): Assets & { readonly isNew: boolean } {
  const proposed = new Map(source.separate.map((one) => [setOf(one.pieces), one]));
  const used = [...separate, ...removed].map(({ group }) => group ?? -1);
  let next = Math.max(source.separate.length, 1 + used.reduce((most, group) => Math.max(most, group), -1));
  let isNew = false;
  const numbered = (asset: SeparateDraft): SeparateDraft => {
    if (asset.group !== null) return asset;
    const same = proposed.get(setOf(asset.pieces));
    if (!same) {
      isNew = true;
      return { ...asset, group: next++ };
    }
    const { madeBefore } = same;
    return {
      ...asset,
      group: same.group,
      source: madeBefore ? { ...asset.source, madeBefore } : asset.source,
    };
  };
  return { separate: separate.map(numbered), removed: removed.map(numbered), isNew };
}
