import type { SourceSeenView } from '../../../preload/contract.ts';

/** Merges two successive messages: `seen` is cumulative, footprints are added. */
export function joinSeen(earlier: SourceSeenView, later: SourceSeenView): SourceSeenView {
  if (earlier.round !== later.round) return later;
  const [before, after] = [earlier.footprints, later.footprints];
  const told = [...(earlier.assets ?? []), ...(later.assets ?? [])];
  const assets = [...new Map(told.map((asset) => [asset.group, asset])).values()];
  return {
    ...later,
    ...(assets.length > 0 && { assets }),
    footprints: {
      keys: [...before.keys, ...after.keys],
      lengths: [...before.lengths, ...after.lengths],
      places: [...before.places, ...after.places],
    },
  };
}
