import { PickedFiles, type Places } from '../../files/file-table.ts';
import type { SourceFiles } from '../../files/model.ts';
import { add } from '../../files/places.ts';
import type { FilesNamed } from '../headers/keys.ts';
import type { Piece } from './propose.ts';

/** The files of several assets, asset by asset: each is in one. */
export interface AssetFiles {
  readonly files: SourceFiles;
  /** How many of them are in each asset. */
  readonly lengths: readonly number[];
}

/**
 * The files of assets, by the places of their pieces.
 *
 * @param all files of the source
 */
export function assetFiles(
  all: SourceFiles,
  pieces: readonly Piece[],
  assets: readonly (readonly number[])[],
): AssetFiles {
  const lengths: number[] = [];
  for (const asset of assets) lengths.push(placesOfPieces(pieces, asset).length);
  return { files: new PickedFiles(all, placesOfPieces(pieces, assets.flat())), lengths };
}

/** Places of the files of some pieces, piece by piece. */
export function placesOfPieces(pieces: readonly Piece[], numbers: readonly number[]): readonly number[] {
  const places: number[] = [];
  for (const at of numbers) {
    add(places, pieces[at]?.files ?? []);
  }
  return places;
}

/** Those at some places; all of them in the order of the source. */
export const filesAt = (all: SourceFiles, places: Places): SourceFiles =>
  places.length === all.length ? all : new PickedFiles(all, places);

/** Tells in which asset a file is, by its place among the files of all assets. */
export function assetAt(lengths: readonly number[]): (place: number) => number {
  let end = 0;
  const ends = lengths.map((length) => {
    end += length;
    return end;
  });
  return (place) => {
    let [low, high] = [0, Math.max(0, ends.length - 1)];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? Infinity) <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** The files of each asset. */
export function namedByAsset(files: FilesNamed, lengths: readonly number[]): readonly FilesNamed[] {
  let end = 0;
  return lengths.map((length) => {
    const from = end;
    end += length;
    return {
      length,
      at: (place) => (place >= 0 && place < length ? files.at(from + place) : undefined),
      *[Symbol.iterator]() {
        for (let at = from; at < from + length; at++) {
          const file = files.at(at);
          if (file) yield file;
        }
      },
    };
  });
}
