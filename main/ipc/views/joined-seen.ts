import type { SourceSeenView } from '../../../preload/contract.ts';

/** Two that were told one after the other as one: `seen` is all that is known, footprints are further. */
export function joinSeen(earlier: SourceSeenView, later: SourceSeenView): SourceSeenView {
  if (earlier.round !== later.round) return later;
  const [before, after] = [earlier.footprints, later.footprints];
  return {
    ...later,
    footprints: {
      keys: [...before.keys, ...after.keys],
      lengths: [...before.lengths, ...after.lengths],
      places: [...before.places, ...after.places],
    },
  };
}
