import type { SourceSeenView } from '../../../preload/contract.ts';

/** Merges two successive messages: `seen` is cumulative, footprints are added. */
export function joinSeen(earlier: SourceSeenView, later: SourceSeenView): SourceSeenView {
  if (earlier.round !== later.round) return later;
  const [earlierFootprints, laterFootprints] = [earlier.footprints, later.footprints];
  const assetResults = [...(earlier.assets ?? []), ...(later.assets ?? [])];
  const assets = [...new Map(assetResults.map((asset) => [asset.group, asset])).values()];
  return {
    ...later,
    ...(assets.length > 0 && { assets }),
    footprints: {
      keys: [...earlierFootprints.keys, ...laterFootprints.keys],
      lengths: [...earlierFootprints.lengths, ...laterFootprints.lengths],
      places: [...earlierFootprints.places, ...laterFootprints.places],
    },
  };
}
