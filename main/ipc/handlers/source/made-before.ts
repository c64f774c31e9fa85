import { basename } from 'node:path';
import { fingerprintBitByBit } from '../../../files/fingerprint.ts';
import type { SourceFile, SourceFiles } from '../../../files/model.ts';
import { pathBelow, toKey } from '../../../files/paths.ts';
import { filesAt, placesOfPieces } from '../../../inspect/grouping/asset-files.ts';
import { partOfSource } from '../../../inspect/grouping/part-of-source.ts';
import type { Piece } from '../../../inspect/grouping/propose.ts';
import type { JobService, MadeAsset } from '../../../jobs/model.ts';

/** Where the files of an asset are, and which. */
interface AssetFound {
  readonly paths: readonly string[];
  readonly files: SourceFiles;
}

/**
 * The last complete asset of the same files, with this account. Null where nothing is known, and where nobody
 * looks on any more (the signal).
 *
 * @param all files of the source that the asset is a part of
 */
export async function madeBefore(
  asset: AssetFound,
  all: SourceFiles,
  accountId: string,
  jobs: Pick<JobService, 'madeOf'>,
  signal: AbortSignal,
): Promise<MadeAsset | null> {
  if (signal.aborted) return null;
  const fingerprint = await fingerprintBitByBit(asUploaded(asset, all), signal).catch(() => null);
  return fingerprint === null ? null : (jobs.madeOf(accountId, fingerprint) ?? null);
}

/** An asset of some pieces, as a job finds its files. */
export async function assetOfPieces(
  {
    paths,
    files,
    pieces,
  }: { readonly paths: readonly string[]; readonly files: SourceFiles; readonly pieces: readonly Piece[] },
  numbers: readonly number[],
): Promise<AssetFound> {
  const places = await placesOfPieces(pieces, numbers);
  const part = await partOfSource(paths, files, places);
  return { paths: part.paths, files: filesAt(files, places) };
}

/** The same of each of several assets. */
export async function eachMadeBefore(
  assets: readonly AssetFound[],
  ...rest: [all: SourceFiles, accountId: string, jobs: Pick<JobService, 'madeOf'>, signal: AbortSignal]
): Promise<readonly (MadeAsset | null)[]> {
  const made: (MadeAsset | null)[] = [];
  for (const asset of assets) made.push(await madeBefore(asset, ...rest));
  return made;
}

/** Where files of one folder are left out, a job's keys may begin further inside (`partOfSource`). */
function asUploaded({ paths, files }: AssetFound, all: SourceFiles): Iterable<SourceFile> {
  const first = files.at(0);
  const [root, ...others] = paths;
  if (!first || files.length === all.length || root === undefined || others.length > 0) return files;
  const key = toKey(pathBelow(root, first.path) || basename(first.path));
  const above = first.key.length - key.length;
  return above === 0 ? files : withoutFront(files, above);
}

function* withoutFront(files: Iterable<SourceFile>, length: number): Generator<SourceFile> {
  for (const file of files) yield { ...file, key: file.key.slice(length) };
}
