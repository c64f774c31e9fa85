import { type FileHandle, lstat, readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Said } from '../../../strings/phrase.ts';
import { cloudOf, isOnlyInCloud, placeholderOf } from '../../files/left-out/cloud-files.ts';
import { isUnfinishedName } from '../../files/left-out/ignore-rules.ts';
import type { SourceFile } from '../../files/model.ts';
import { isSparse } from '../../files/sparse-file.ts';
import { mayBeVolume, missingVolumesOf } from '../../inspect/completeness/archive-ends.ts';
import { nameOfDownload } from '../../inspect/completeness/downloads.ts';
import { splitArchivesIn } from '../../inspect/completeness/split-archives.ts';
import { findingOf } from '../../inspect/findings/finding-of.ts';
import { createRangeReader, maxBytes, zeroProbeLength } from '../../inspect/formats/base/file-bytes.ts';
import type { ReadSidecar } from '../../inspect/formats/base/format.ts';
import { isDataExtension, readFile } from '../../inspect/formats/read-file.ts';
import type { NotedFinding } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchNumber } from '../model/source-names.ts';
import { openInside } from '../scan/folder/held-folder.ts';
import type { ScannedSource } from '../scan/found-source.ts';

/**
 * Returns a volume that an archive of the source lacks, or null.
 *
 * @param folder the watched folder; nothing outside is opened
 */
async function missingVolume(folder: string, files: readonly SourceFile[]): Promise<string | null> {
  const indexes = files.flatMap(({ path }, index) => (mayBeVolume(path) ? [index] : []));
  for (const volumeIndexes of splitArchivesIn(files, indexes).values()) {
    const volumes = volumeIndexes.flatMap((index) => files[index] ?? []);
    const volumeFiles = volumes.map(({ path, size }) => ({ name: basename(path), path, size }));
    const [missing] = await missingVolumesOf(volumeFiles, async ({ path }, useVolume) => {
      await using handle = await openInside(folder, path);
      return useVolume(createRangeReader(handle));
    });
    if (missing !== undefined) return missing;
  }
  return null;
}

const maxFolders = 1_000;

/** After this time without a change, a temporary file is a leftover, ms. */
const leftoverMs = 10 * 60_000;

/**
 * Returns the control file of an incomplete download, or a temporary file that a program is writing into a
 * folder of the source; null for none.
 */
async function unfinishedFileIn(source: ScannedSource, currentTime: number): Promise<string | null> {
  const { files, path: sourcePath, paths, keysFrom } = source;
  const ownsFolders = paths[0] === keysFrom || batchNumber(sourcePath) !== null;
  const isBeingWritten = async (path: string) => {
    const stats = await lstat(path).catch(() => null);
    return stats?.isFile() === true && currentTime - stats.mtimeMs < leftoverMs;
  };
  const byFolder = new Map<string, Set<string>>();
  for (const { path } of files) {
    const folder = dirname(path);
    const names = byFolder.get(folder) ?? new Set();
    names.add(basename(path).toLowerCase());
    if (byFolder.size < maxFolders) byFolder.set(folder, names);
  }
  // Grows while it is read: a folder may hold only an unfinished file.
  for (const [folder, names] of byFolder) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const { name } = entry;
      const path = join(folder, name);
      const downloadedName = nameOfDownload(name);
      if (downloadedName !== null && names.has(downloadedName)) return name;
      if (!ownsFolders) continue;
      const isFolder = entry.isDirectory() && !name.startsWith('.');
      if (isFolder && !byFolder.has(path) && byFolder.size < maxFolders) byFolder.set(path, new Set());
      if (isUnfinishedName(name, false) && (await isBeingWritten(path))) return name;
    }
  }
  return null;
}

/** Why a quiet source may still be unfinished. */
export interface NotReadyReason {
  readonly reason: Said;
  /**
   * `wait-for-change`: it can't be complete as it is. `wait-longer`: it may be complete but seems unfilled.
   * `not-ready`: the condition of its rule isn't met.
   */
  readonly kind: 'wait-for-change' | 'wait-longer' | 'not-ready';
  /** A problem in a file's bytes, which the user may accept. */
  readonly finding?: NotedFinding;
  /** Only the inspection has to end, possibly after those of other sources. */
  readonly isInspected?: true;
}

/** Why a source can't continue yet. */
export interface Delay {
  readonly notReady: NotReadyReason;
  /** Delay of the next check, ms; a hint may trigger it earlier. */
  readonly againMs: number;
}

/** The largest and newest files, and the smallest that should have data. */
const maxOfEach = 100;
const maxSmall = 50;
/** Bytes read per source; afterwards, a usual header per file. */
const maxOfSource = 32 * 1024 * 1024;
const leastOfFile = 128 * 1024;
/** Bytes of a header in a separate file. */
const maxHeader = 16 * 1024;
/** Sending the zeros of a larger sparse file would block everything else, so the user decides. */
const maxSparse = 16 * 1024 ** 3;

/**
 * Inspects a source that seems settled: some programs and file servers allocate a file first and fill it
 * later, and files may be truncated. Reads some KB of 250 files at most, more only for long tables, and
 * nothing outside the watched folder.
 *
 * @param leftOut absolute paths of files that aren't uploaded; only called for a file that isn't ready
 * @param currentTime ms since the epoch. Default: all temporary files are leftovers
 */
export async function checkCompleteness(
  folder: string,
  source: ScannedSource,
  leftOut: () => Promise<ReadonlySet<string>> = async () => new Set(),
  currentTime = Number.POSITIVE_INFINITY,
): Promise<NotReadyReason | null> {
  const allMissing =
    source.missing.length === 0 ? [] : notOfShapefiles(folder, source.missing, await leftOut());
  const [missing] = allMissing;
  if (missing !== undefined) {
    const moreCount = allMissing.length - 1;
    const reason: Said =
      moreCount > 0
        ? { key: 'sources.doubt.missingMore', values: { file: missing, more: moreCount } }
        : { key: 'sources.doubt.missing', values: { file: missing } };
    return { kind: 'wait-for-change', reason };
  }
  const unfinished = await unfinishedFileIn(source, currentTime);
  if (unfinished !== null)
    return {
      kind: 'wait-for-change',
      reason: { key: 'sources.doubt.downloading', values: { file: unfinished } },
    };
  const volume = await missingVolume(folder, source.files).catch(() => null);
  if (volume !== null)
    return {
      kind: 'wait-for-change',
      reason: { key: 'sources.doubt.missing', values: { file: volume } },
    };
  const allocated = new Map(source.files.map((file, index) => [file, source.allocated[index]]));
  const inspection = { folder, files: source.files, bytesLeft: maxOfSource };
  let longer: NotReadyReason | null = null;
  for (const file of filesToInspect(source.files)) {
    const notReady = await inspectFile(inspection, file, allocated.get(file) ?? Number.NaN);
    if (notReady === null || (await leftOut()).has(file.path)) continue;
    if (notReady.kind === 'wait-for-change') return notReady;
    longer ??= notReady;
  }
  return longer;
}

/** `missing`: relative to the folder. */
function notOfShapefiles(
  folder: string,
  missing: readonly string[],
  leftOut: ReadonlySet<string>,
): readonly string[] {
  const shapefiles = [...leftOut].filter((path) => extensionOf(path) === '.shp');
  const stems = new Set(shapefiles.map(pathWithoutExtension));
  return missing.filter((name) => !stems.has(pathWithoutExtension(join(folder, name))));
}

const pathWithoutExtension = (path: string): string => path.slice(0, path.length - extname(path).length);

const extensionOf = (path: string): string => extname(path).toLowerCase();

function filesToInspect(files: readonly SourceFile[]): ReadonlySet<SourceFile> {
  const large = files.filter(({ size }) => size >= zeroProbeLength);
  const small = files.filter(
    ({ size, path }) => size < zeroProbeLength && isDataExtension(extensionOf(path)),
  );
  const smallest = small.toSorted((a, b) => a.size - b.size).slice(0, maxSmall);
  if (large.length <= 2 * maxOfEach) return new Set([...large, ...smallest]);
  const largest = large.toSorted((a, b) => b.size - a.size).slice(0, maxOfEach);
  const newest = large.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, maxOfEach);
  return new Set([...largest, ...newest, ...smallest]);
}

interface Inspection {
  readonly folder: string;
  readonly files: readonly SourceFile[];
  bytesLeft: number;
}

/** `allocated`: bytes on the disk, NaN if unknown. */
async function inspectFile(
  inspection: Inspection,
  { key, path, size }: SourceFile,
  allocated: number,
): Promise<NotReadyReason | null> {
  const file = basename(path);
  let handle: FileHandle;
  try {
    handle = await openInside(inspection.folder, path);
  } catch {
    return { kind: 'wait-longer', reason: { key: 'sources.doubt.closed', values: { file } } };
  }
  try {
    const isHardlyThere = isSparse(size, allocated);
    if (isHardlyThere && size >= maxSparse)
      return { kind: 'wait-for-change', reason: { key: 'sources.doubt.hardlyThere', values: { file } } };
    const read = (offset: number, length: number) => {
      inspection.bytesLeft -= length;
      return createRangeReader(handle)(offset, length);
    };
    const budget = Math.min(maxBytes, Math.max(leastOfFile, inspection.bytesLeft));
    const readSidecar = besideIn(inspection, path);
    const extension = extensionOf(path);
    const { head, verdict, content, zeros } = await readFile({
      extension,
      size,
      read,
      readSidecar,
      budget,
    });
    if (verdict !== null) {
      const finding = findingOf(verdict, content);
      const reason: Said = { key: `sources.doubt.${verdict}`, values: { file, ...finding.values } };
      const notedFinding = { ...finding, count: 1, files: [key] };
      return { kind: 'wait-for-change', reason, finding: notedFinding };
    }
    if (head?.kind === 'las' && head.traits?.includes('no-points')) {
      // Among tiles, one without points may be meant; alone it is a writer's first header.
      const data = inspection.files.filter((other) => isDataExtension(extensionOf(other.path)));
      const kind = data.length > 1 ? 'wait-longer' : 'wait-for-change';
      return { kind, reason: { key: 'sources.doubt.noPoints', values: { file } } };
    }
    if (zeros) {
      const key = zeros === 'begin' ? 'sources.doubt.zerosAtBegin' : 'sources.doubt.zerosAtEnd';
      return { kind: 'wait-longer', reason: { key, values: { file } } };
    }
    return isHardlyThere
      ? { kind: 'wait-longer', reason: { key: 'sources.doubt.hardlyThere', values: { file } } }
      : null;
  } catch {
    return { kind: 'wait-longer', reason: { key: 'sources.doubt.held', values: { file } } };
  } finally {
    await handle.close();
  }
}

/** Reads the beginning of a file with the same name and another extension. */
function besideIn({ folder, files }: Inspection, path: string): ReadSidecar {
  const stem = pathWithoutExtension(path).toLowerCase();
  return async (extension) => {
    const sibling = files.find((file) => file.path.toLowerCase() === stem + extension);
    if (!sibling) return null;
    const handle = await openInside(folder, sibling.path);
    try {
      return await createRangeReader(handle)(0, Math.min(maxHeader, sibling.size));
    } finally {
      await handle.close();
    }
  };
}

/**
 * Doubts files that are only in the cloud, unless the rule downloads them by reading. Reading can't download
 * placeholder files.
 */
export function checkCloudFiles(
  { cloudFiles }: Pick<WatchRule, 'cloudFiles'>,
  { files, allocated }: ScannedSource,
): NotReadyReason | null {
  let firstFile: { readonly file: string; readonly service: string } | null = null;
  let count = 0;
  for (const [index, { path, size }] of files.entries()) {
    const name = basename(path);
    const placeholder = placeholderOf(name);
    const isAway = cloudFiles === 'leave' && isOnlyInCloud(path, size, allocated[index] ?? Number.NaN);
    if (!placeholder && !isAway) continue;
    firstFile ??= placeholder
      ? { file: placeholder.name, service: placeholder.service }
      : { file: name, service: cloudOf(path) ?? '' };
    count += 1;
  }
  if (firstFile === null) return null;
  const reason: Said =
    count > 1
      ? { key: 'sources.doubt.onlyInCloudMore', values: { ...firstFile, more: count - 1 } }
      : { key: 'sources.doubt.onlyInCloud', values: firstFile };
  return { kind: 'wait-for-change', reason };
}
