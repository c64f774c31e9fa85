import type { SourceSeenView } from '../../../preload/contract.ts';

/** Merges two successive messages: `seen` is cumulative, footprints are added. */
export function joinSeen(earlierView: SourceSeenView, laterView: SourceSeenView): SourceSeenView {
  if (earlierView.round !== laterView.round) return laterView;
  const [earlierFootprints, laterFootprints] = [earlierView.footprints, laterView.footprints];
  const assetResults = [...(earlierView.assets ?? []), ...(laterView.assets ?? [])];
  const assets = [...new Map(assetResults.map((asset) => [asset.group, asset])).values()];
  return {
    ...laterView,
    ...(assets.length > 0 && { assets }),
    footprints: {
      keys: [...earlierFootprints.keys, ...laterFootprints.keys],
      lengths: [...earlierFootprints.lengths, ...laterFootprints.lengths],
      places: [...earlierFootprints.places, ...laterFootprints.places],
    },
  };
}
