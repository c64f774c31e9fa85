/** Matches the shown assets with the proposal for an extended source. */

import type { SourceView } from '../../../../preload/contract.ts';
import type { Draft, SeparateDraft } from './draft.ts';
import { nameOfPiece, withPieces } from './proposal.ts';
import { isSame } from './typed.ts';

type Assets = Pick<Draft, 'separate' | 'removed' | 'started'>;

/** An asset as the sheet showed it. */
export interface ShownAsset {
  readonly asset: SeparateDraft;
  /** Listed, left out by hand, or started. */
  readonly where: keyof Assets;
  /** Its pieces' current indexes. */
  readonly pieces: readonly number[];
  /** The suggestion for exactly these pieces; null if the person grouped them. */
  readonly suggested: SeparateDraft | null;
}

/** A proposed asset and the shown assets that share pieces with it. */
interface Proposed {
  readonly asset: SeparateDraft;
  readonly olds: ReadonlySet<ShownAsset>;
}

const ofAsset = ['name', 'assetType', 'sourceType', 'own', 'decisions'] as const;

/**
 * Assets without manual choices follow the new proposal and keep typed values. The others stay in their order
 * and absorb proposed pieces that match them alone; pieces that match several become a new asset. Assets
 * whose pieces were merged can't stay.
 *
 * @returns each proposed piece once
 */
export function fitTogether(
  shown: readonly ShownAsset[],
  proposed: readonly SeparateDraft[],
  source: SourceView,
): Assets {
  const olds = distinct(shown);
  const owner = new Map(olds.flatMap((old) => old.pieces.map((at) => [at, old] as const)));
  const news = proposed.map((asset): Proposed => {
    const its = asset.pieces.flatMap((at) => owner.get(at) ?? []);
    return { asset, olds: new Set(its) };
  });
  const newOf = new Map(news.flatMap((one) => one.asset.pieces.map((at) => [at, one] as const)));
  const kept = keptOf(olds, news);
  const added = ({ asset }: Proposed) => asset.pieces.filter((at) => !owner.has(at));
  const asItWas = ({ asset, pieces, where }: ShownAsset): SeparateDraft => {
    const its = [...new Set(pieces.flatMap((at) => newOf.get(at) ?? []))];
    const alone = its.filter((one) => where === 'separate' && one.olds.size === 1);
    const [fresh] = alone.length === its.length ? alone : [];
    const all = [...pieces, ...alone.flatMap(added)];
    // Numbers come from the new proposal.
    const { decisions } = asset;
    return {
      ...withPieces({ ...asset, source: fresh?.asset.source ?? asset.source }, all, source),
      group: null,
      decisions,
    };
  };
  const separate: SeparateDraft[] = [];
  const placed = new Set<Proposed>();
  for (const old of olds) {
    if (kept.has(old)) {
      if (old.where === 'separate') separate.push(asItWas(old));
      continue;
    }
    for (const one of new Set(old.pieces.flatMap((at) => newOf.get(at) ?? []))) {
      if (!placed.has(one)) separate.push(one.olds.size === 1 ? withTyped(one.asset, old) : one.asset);
      placed.add(one);
    }
  }
  for (const one of news) {
    if (placed.has(one)) continue;
    const [old, ...others] = one.olds;
    const pieces = added(one);
    if (!old) separate.push(one.asset);
    else if (pieces.length > 0 && (others.length > 0 || old.where !== 'separate')) {
      const name = (pieces.length === 1 && nameOfPiece(source.pieces[pieces[0] ?? 0])) || one.asset.name;
      separate.push(withPieces({ ...one.asset, name }, pieces, source));
    }
  }
  const of = (where: keyof Assets) => olds.filter((old) => old.where === where).map(asItWas);
  return { separate, removed: of('removed'), started: of('started') };
}

/** Assets with remaining pieces, each piece in one asset only. */
function distinct(shown: readonly ShownAsset[]): readonly ShownAsset[] {
  const counts = new Map<number, number>();
  for (const { pieces } of shown) for (const at of pieces) counts.set(at, (counts.get(at) ?? 0) + 1);
  return shown.filter(({ pieces }) => pieces.length > 0 && pieces.every((at) => counts.get(at) === 1));
}

/** Assets that stay, including all that share a proposed asset with one of them. */
function keptOf(olds: readonly ShownAsset[], news: readonly Proposed[]): ReadonlySet<ShownAsset> {
  const inside = new Set(news.flatMap((one) => [...one.olds]));
  const kept = new Set(olds.filter((old) => old.where !== 'separate' || !old.suggested || !inside.has(old)));
  for (const { asset, olds: its } of news) {
    const own = new Set(asset.pieces);
    const isOne = its.size === 1 && [...its].every(({ pieces }) => pieces.every((at) => own.has(at)));
    if (!isOne) for (const old of its) if (typedOf(old).length > 0) kept.add(old);
  }
  for (let before = -1; before < kept.size; ) {
    before = kept.size;
    for (const { olds: its } of news)
      if ([...its].some((old) => kept.has(old))) for (const old of its) kept.add(old);
  }
  return kept;
}

const typedOf = ({ asset, suggested }: ShownAsset) =>
  ofAsset.filter((field) => suggested !== null && !isSame(asset[field], suggested[field]));

const withTyped = (next: SeparateDraft, old: ShownAsset): SeparateDraft => ({
  ...next,
  ...Object.fromEntries(typedOf(old).map((field) => [field, old.asset[field]])),
});
