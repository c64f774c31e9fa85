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
interface ProposedAsset {
  readonly asset: SeparateDraft;
  readonly olds: ReadonlySet<ShownAsset>;
}

const assetFields = ['name', 'assetType', 'sourceType', 'ownSettings', 'decisions'] as const;

/**
 * Assets without manual choices follow the new proposal and keep typed values. The others stay in their order
 * and absorb proposed pieces that match them alone; pieces that match several become a new asset. Assets
 * whose pieces were merged can't stay.
 *
 * @returns each proposed piece once
 */
export function fitTogether(
  shownAssets: readonly ShownAsset[],
  proposedAssets: readonly SeparateDraft[],
  source: SourceView,
): Assets {
  const olds = distinct(shownAssets);
  const owner = new Map(
    olds.flatMap((oldAsset) => oldAsset.pieces.map((index) => [index, oldAsset] as const)),
  );
  const newProposals = proposedAssets.map((asset): ProposedAsset => {
    const owners = asset.pieces.flatMap((index) => owner.get(index) ?? []);
    return { asset, olds: new Set(owners) };
  });
  const newOf = new Map(
    newProposals.flatMap((proposal) => proposal.asset.pieces.map((index) => [index, proposal] as const)),
  );
  const stable = keptOf(olds, newProposals);
  const added = ({ asset }: ProposedAsset) => asset.pieces.filter((index) => !owner.has(index));
  const withoutContext = ({ asset, pieces, where: listName }: ShownAsset): SeparateDraft => {
    const replacements = [...new Set(pieces.flatMap((index) => newOf.get(index) ?? []))];
    const exclusive = replacements.filter((proposal) => listName === 'separate' && proposal.olds.size === 1);
    const [soleReplacement] = exclusive.length === replacements.length ? exclusive : [];
    const combined = [...pieces, ...exclusive.flatMap(added)];
    // Numbers come from the new proposal.
    const { decisions } = asset;
    return {
      ...withPieces({ ...asset, source: soleReplacement?.asset.source ?? asset.source }, combined, source),
      group: null,
      decisions,
    };
  };
  const separateAssets: SeparateDraft[] = [];
  const placedProposals = new Set<ProposedAsset>();
  for (const oldAsset of olds) {
    if (stable.has(oldAsset)) {
      if (oldAsset.where === 'separate') separateAssets.push(withoutContext(oldAsset));
      continue;
    }
    for (const proposal of new Set(oldAsset.pieces.flatMap((index) => newOf.get(index) ?? []))) {
      if (!placedProposals.has(proposal))
        separateAssets.push(proposal.olds.size === 1 ? withTyped(proposal.asset, oldAsset) : proposal.asset);
      placedProposals.add(proposal);
    }
  }
  for (const proposal of newProposals) {
    if (placedProposals.has(proposal)) continue;
    const [firstOld, ...otherOlds] = proposal.olds;
    const pieces = added(proposal);
    if (!firstOld) separateAssets.push(proposal.asset);
    else if (pieces.length > 0 && (otherOlds.length > 0 || firstOld.where !== 'separate')) {
      const name = (pieces.length === 1 && nameOfPiece(source.pieces[pieces[0] ?? 0])) || proposal.asset.name;
      separateAssets.push(withPieces({ ...proposal.asset, name }, pieces, source));
    }
  }
  const assetsIn = (listName: keyof Assets) =>
    olds.filter((oldAsset) => oldAsset.where === listName).map(withoutContext);
  return { separate: separateAssets, removed: assetsIn('removed'), started: assetsIn('started') };
}

/** Assets with remaining pieces, each piece in one asset only. */
function distinct(assets: readonly ShownAsset[]): readonly ShownAsset[] {
  const counts = new Map<number, number>();
  for (const { pieces } of assets)
    for (const index of pieces) counts.set(index, (counts.get(index) ?? 0) + 1);
  return assets.filter(({ pieces }) => pieces.length > 0 && pieces.every((index) => counts.get(index) === 1));
}

/** Assets that stay, including all that share a proposed asset with one of them. */
function keptOf(
  olds: readonly ShownAsset[],
  newProposals: readonly ProposedAsset[],
): ReadonlySet<ShownAsset> {
  const replacedAssets = new Set(newProposals.flatMap((proposal) => [...proposal.olds]));
  const stable = new Set(
    olds.filter(
      (oldAsset) => oldAsset.where !== 'separate' || !oldAsset.suggested || !replacedAssets.has(oldAsset),
    ),
  );
  for (const { asset, olds: replaced } of newProposals) {
    const ownPieces = new Set(asset.pieces);
    const isOne =
      replaced.size === 1 &&
      [...replaced].every(({ pieces }) => pieces.every((index) => ownPieces.has(index)));
    if (!isOne) for (const oldAsset of replaced) if (typedOf(oldAsset).length > 0) stable.add(oldAsset);
  }
  for (let previousSize = -1; previousSize < stable.size; ) {
    previousSize = stable.size;
    for (const { olds: replaced } of newProposals)
      if ([...replaced].some((oldAsset) => stable.has(oldAsset)))
        for (const stableAsset of replaced) stable.add(stableAsset);
  }
  return stable;
}

const typedOf = ({ asset, suggested }: ShownAsset) =>
  assetFields.filter((field) => suggested !== null && !isSame(asset[field], suggested[field]));

const withTyped = (proposal: SeparateDraft, oldAsset: ShownAsset): SeparateDraft => ({
  ...proposal,
  ...Object.fromEntries(typedOf(oldAsset).map((field) => [field, oldAsset.asset[field]])),
});
