import { basename } from 'node:path';
import { fingerprintOf } from '../../files/fingerprint.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import { filesAt, placesOfPieces } from '../grouping/asset-files.ts';
import { partOfSource } from '../grouping/part-of-source.ts';
import type { ShownSource } from './requested-part.ts';

interface AssetFound {
  readonly paths: readonly string[];
  readonly files: SourceFiles;
}

/**
 * Returns the fingerprint that identifies earlier uploads of the same files.
 *
 * @param sourceFiles files of the whole source
 */
export const fingerprintIn = (asset: AssetFound, sourceFiles: SourceFiles): string =>
  fingerprintOf(asUploaded(asset, sourceFiles));

/** Returns the asset made of these pieces, as a job scans it. */
export function assetOfPieces(
  { paths, files, pieces }: Pick<ShownSource, 'paths' | 'files' | 'pieces'>,
  numbers: readonly number[],
): AssetFound {
  const places = placesOfPieces(pieces, numbers);
  const part = partOfSource(paths, files, places);
  return { paths: part.paths, files: filesAt(files, places) };
}

/** A job of a part of one folder may start further inside (`partOfSource`), so its keys are shorter. */
export function asUploaded({ paths, files }: AssetFound, sourceFiles: SourceFiles): Iterable<SourceFile> {
  const firstFile = files.at(0);
  const [root, ...otherPaths] = paths;
  if (!firstFile || files.length === sourceFiles.length || root === undefined || otherPaths.length > 0)
    return files;
  const key = toKey(pathBelow(root, firstFile.path) || basename(firstFile.path));
  const prefixLength = firstFile.key.length - key.length;
  return prefixLength === 0 ? files : withoutFront(files, prefixLength);
}

function* withoutFront(files: Iterable<SourceFile>, length: number): Generator<SourceFile> {
  for (const file of files) yield { ...file, key: file.key.slice(length) };
}
