import { PickedFiles, type Places } from '../../files/file-table.ts';
import type { SourceFiles } from '../../files/model.ts';
import { add } from '../../files/places.ts';
import type { IndexedFiles } from '../headers/lower-case-keys.ts';
import type { Piece } from './propose.ts';

/** Files of several assets, asset by asset. */
export interface AssetFiles {
  readonly files: SourceFiles;
  /** Number of files per asset. */
  readonly lengths: readonly number[];
}

/** @param sourceFiles files of the source */
export function assetFiles(
  sourceFiles: SourceFiles,
  pieces: readonly Piece[],
  assets: readonly (readonly number[])[],
): AssetFiles {
  const lengths: number[] = [];
  for (const asset of assets) lengths.push(placesOfPieces(pieces, asset).length);
  return { files: new PickedFiles(sourceFiles, placesOfPieces(pieces, assets.flat())), lengths };
}

/** Returns file indexes, piece by piece. */
export function placesOfPieces(pieces: readonly Piece[], numbers: readonly number[]): readonly number[] {
  const places: number[] = [];
  for (const pieceNumber of numbers) {
    add(places, pieces[pieceNumber]?.files ?? []);
  }
  return places;
}

/** Returns files by index; all files keep the order of the source. */
export const filesAt = (sourceFiles: SourceFiles, places: Places): SourceFiles =>
  places.length === sourceFiles.length ? sourceFiles : new PickedFiles(sourceFiles, places);

/** Returns a function from a file's index to its asset. */
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

/** Splits the files by asset. */
export function namedByAsset(files: IndexedFiles, lengths: readonly number[]): readonly IndexedFiles[] {
  let end = 0;
  return lengths.map((length) => {
    const start = end;
    end += length;
    return {
      length,
      at: (place) => (place >= 0 && place < length ? files.at(start + place) : undefined),
      *[Symbol.iterator]() {
        for (let place = start; place < start + length; place++) {
          const file = files.at(place);
          if (file) yield file;
        }
      },
    };
  });
}
