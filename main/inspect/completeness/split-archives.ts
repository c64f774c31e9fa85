import { posix } from 'node:path';
import { type VolumeSeries, volumeSeriesIn } from './volumes.ts';

interface KeyedFiles {
  at(index: number): { readonly key: string } | undefined;
}

/**
 * Returns the volumes of split archives in order, by the index of the file that opens the archive.
 *
 * @param indexes of files that may be volumes
 */
export function splitArchivesIn(
  files: KeyedFiles,
  indexes: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const indexesByFolder = new Map<string, Map<string, number>>();
  for (const index of indexes) {
    const key = files.at(index)?.key ?? '';
    const folder = posix.dirname(key);
    const byName = indexesByFolder.get(folder) ?? new Map<string, number>();
    indexesByFolder.set(folder, byName.set(posix.basename(key), index));
  }
  const archives = new Map<number, readonly number[]>();
  for (const byName of indexesByFolder.values())
    for (const series of volumeSeriesIn([...byName.keys()])) {
      const [first, ...others] = series.volumes.flatMap((name) => byName.get(name) ?? []);
      if (first !== undefined && isArchive(series)) archives.set(first, [first, ...others]);
    }
  return archives;
}

/** Many other formats have extensions such as `.s57`. */
const isArchive = ({ kind, nameOf, missing }: VolumeSeries): boolean =>
  kind !== 'rar' || !missing.includes(nameOf(0));
