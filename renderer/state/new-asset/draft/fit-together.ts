/** Matches the shown assets with the proposal for an extended source. */

import type { SourceView } from '../../../../preload/contract.ts';
import type { Draft, SeparateDraft } from './draft.ts';
import { nameOfPiece, withPieces } from './proposal.ts';
import { isSame } from './typed.ts';

type Assets = Pick<Draft, 'separate' | 'removed' | 'started'>;

export interface ShownAsset {
  readonly asset: SeparateDraft;
  /** Listed, left out by hand, or started. */
  readonly where: keyof Assets;
  readonly pieces: readonly number[];
  /** The suggestion for exactly these pieces; null if the person grouped them. */
  readonly suggested: SeparateDraft | null;
}

/** A proposed asset and the shown assets that share pieces with it. */
interface Proposed {
  readonly asset: SeparateDraft;
  readonly olds: ReadonlySet<ShownAsset>;
}

const ofAsset = ['name', 'assetType', 'sourceType', 'ownSettings', 'decisions'] as const;

/**
 * Assets without manual choices follow the new proposal and keep typed values. The others stay in their order
 * and absorb proposed pieces that match them alone; pieces that match several become a new asset. Assets
 * whose pieces were merged can't stay.
 *
 * @returns each proposed piece once
 */
export function fitTogether(
  shownAssets: readonly ShownAsset[],
  proposed: readonly SeparateDraft[],
  source: SourceView,
): Assets {
  const olds = distinct(shownAssets);
  const owner = new Map(olds.flatMap((old) => old.pieces.map((index) => [index, old] as const)));
  const news = proposed.map((asset): Proposed => {
    const its = asset.pieces.flatMap((index) => owner.get(index) ?? []);
    return { asset, olds: new Set(its) };
  });
  const newOf = new Map(
    news.flatMap((proposal) => proposal.asset.pieces.map((index) => [index, proposal] as const)),
  );
  const stable = keptOf(olds, news);
  const added = ({ asset }: Proposed) => asset.pieces.filter((index) => !owner.has(index));
  const asItWas = ({ asset, pieces, where }: ShownAsset): SeparateDraft => {
    const its = [...new Set(pieces.flatMap((index) => newOf.get(index) ?? []))];
    const exclusive = its.filter((proposal) => where === 'separate' && proposal.olds.size === 1);
    const [fresh] = exclusive.length === its.length ? exclusive : [];
    const combined = [...pieces, ...exclusive.flatMap(added)];
    // Numbers come from the new proposal.
    const { decisions } = asset;
    return {
      ...withPieces({ ...asset, source: fresh?.asset.source ?? asset.source }, combined, source),
      group: null,
      decisions,
    };
  };
  const separate: SeparateDraft[] = [];
  const placed = new Set<Proposed>();
  for (const old of olds) {
    if (stable.has(old)) {
      if (old.where === 'separate') separate.push(asItWas(old));
      continue;
    }
    for (const proposal of new Set(old.pieces.flatMap((index) => newOf.get(index) ?? []))) {
      if (!placed.has(proposal))
        separate.push(proposal.olds.size === 1 ? withTyped(proposal.asset, old) : proposal.asset);
      placed.add(proposal);
    }
  }
  for (const proposal of news) {
    if (placed.has(proposal)) continue;
    const [old, ...further] = proposal.olds;
    const pieces = added(proposal);
    if (!old) separate.push(proposal.asset);
    else if (pieces.length > 0 && (further.length > 0 || old.where !== 'separate')) {
      const name = (pieces.length === 1 && nameOfPiece(source.pieces[pieces[0] ?? 0])) || proposal.asset.name;
      separate.push(withPieces({ ...proposal.asset, name }, pieces, source));
    }
  }
  const listed = (where: keyof Assets) => olds.filter((old) => old.where === where).map(asItWas);
  return { separate, removed: listed('removed'), started: listed('started') };
}

/** Assets with remaining pieces, each piece in one asset only. */
function distinct(assets: readonly ShownAsset[]): readonly ShownAsset[] {
  const counts = new Map<number, number>();
  for (const { pieces } of assets)
    for (const index of pieces) counts.set(index, (counts.get(index) ?? 0) + 1);
  return assets.filter(({ pieces }) => pieces.length > 0 && pieces.every((index) => counts.get(index) === 1));
}

/** Assets that stay, including all that share a proposed asset with one of them. */
function keptOf(olds: readonly ShownAsset[], news: readonly Proposed[]): ReadonlySet<ShownAsset> {
  const inside = new Set(news.flatMap((proposal) => [...proposal.olds]));
  const stable = new Set(
    olds.filter((old) => old.where !== 'separate' || !old.suggested || !inside.has(old)),
  );
  for (const { asset, olds: its } of news) {
    const ownPieces = new Set(asset.pieces);
    const isOne =
      its.size === 1 && [...its].every(({ pieces }) => pieces.every((index) => ownPieces.has(index)));
    if (!isOne) for (const old of its) if (typedOf(old).length > 0) stable.add(old);
  }
  for (let previousSize = -1; previousSize < stable.size; ) {
    previousSize = stable.size;
    for (const { olds: its } of news)
      if ([...its].some((old) => stable.has(old))) for (const old of its) stable.add(old);
  }
  return stable;
}

const typedOf = ({ asset, suggested }: ShownAsset) =>
  ofAsset.filter((field) => suggested !== null && !isSame(asset[field], suggested[field]));

const withTyped = (proposal: SeparateDraft, old: ShownAsset): SeparateDraft => ({
  ...proposal,
  ...Object.fromEntries(typedOf(old).map((field) => [field, old.asset[field]])),
});
