import { basename } from 'node:path';
import { fingerprintBitByBit } from '../../../files/fingerprint.ts';
import type { SourceFile } from '../../../files/model.ts';
import { pathBelow, toKey } from '../../../files/paths.ts';
import { partOfSource } from '../../../inspect/grouping/part-of-source.ts';
import type { InspectedSource } from '../../../inspect/inspect-source.ts';
import type { JobService, MadeAsset } from '../../../jobs/model.ts';

type Found = Pick<InspectedSource, 'paths' | 'files' | 'scan' | 'pieces' | 'allPieces' | 'suggestSeparate'>;

/**
 * The last complete asset of the same files, with this account, where they are to become one. Null where
 * nothing is known, and where nobody looks on any more (the signal).
 */
export async function madeBefore(
  source: Found,
  accountId: string,
  jobs: Pick<JobService, 'madeOf'>,
  signal: AbortSignal,
): Promise<MadeAsset | null> {
  if (source.suggestSeparate || signal.aborted) return null;
  const fingerprint = await fingerprintBitByBit(await asUploaded(source), signal).catch(() => null);
  return fingerprint === null ? null : (jobs.madeOf(accountId, fingerprint) ?? null);
}

/** Where files of one folder are left out, a job's keys may begin further inside (`partOfSource`). */
async function asUploaded({ paths, files, scan, pieces, allPieces }: Found): Promise<Iterable<SourceFile>> {
  const first = files.at(0);
  if (!first || files.length === scan.files.length) return files;
  const places = pieces.flatMap((at) => allPieces[at]?.files ?? []);
  const [root, ...others] = (await partOfSource(paths, scan.files, places)).paths;
  if (root === undefined || others.length > 0) return files;
  const key = toKey(pathBelow(root, first.path) || basename(first.path));
  const above = first.key.length - key.length;
  return above === 0 ? files : withoutFront(files, above);
}

function* withoutFront(files: Iterable<SourceFile>, length: number): Generator<SourceFile> {
  for (const file of files) yield { ...file, key: file.key.slice(length) };
}
