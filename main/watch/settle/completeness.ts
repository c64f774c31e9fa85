import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { FindingId } from '../../../shared/findings.ts';
import type { Said } from '../../../strings/phrase.ts';
import { cloudOf, isOnlyInCloud, placeholderOf } from '../../files/left-out/cloud-files.ts';
import { isUnfinishedName } from '../../files/left-out/ignore-rules.ts';
import { nameOfDownload } from '../../inspect/completeness/downloads.ts';
import type { Completeness } from '../../inspect/session/completeness.ts';
import type { Inspector } from '../../inspect/session/inspector.ts';
import type { FoundSource } from '../model/model.ts';
import { foundPhrase, type NotedFinding, namedAtMost } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchNumber } from '../model/source-names.ts';

const maxFolders = 1_000;

/** After this time without a change, a temporary file is a leftover, ms. */
const leftoverMs = 10 * 60_000;

/**
 * Returns the control file of an incomplete download, or a temporary file that a program is writing into a
 * folder of the source; null for none.
 */
async function unfinishedFileIn(source: FoundSource, currentTime: number): Promise<string | null> {
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

/** Sending the zeros of a larger sparse file would block everything else, so the user decides. */
const maxSparse = 16 * 1024 ** 3;

/**
 * Findings that mean incomplete data: in the bytes, or possibly. The user decides about the others after the
 * full inspection.
 */
const doubtfulFindings: { readonly [Id in FindingId]?: NotReadyReason['kind'] } = {
  empty: 'wait-for-change',
  'cut-off': 'wait-for-change',
  unfinished: 'wait-for-change',
  'lfs-pointer': 'wait-for-change',
  'web-page': 'wait-for-change',
  'server-error': 'wait-for-change',
  'wrong-format': 'wait-for-change',
  'not-filled': 'wait-for-change',
  'many-zeros': 'wait-longer',
  'sparse-file': 'wait-longer',
  'las-no-points': 'wait-longer',
};

interface CompletenessOptions {
  readonly inspector: Pick<Inspector, 'inspectCompleteness'>;
  /** Absolute paths of files that aren't uploaded; only called for a file that isn't ready. Default: none. */
  readonly leftOut?: () => Promise<ReadonlySet<string>>;
  /** ms since the epoch. Default: all temporary files are leftovers. */
  readonly currentTime?: number | undefined;
}

/**
 * Checks a source that seems settled: some programs and file servers allocate a file first and fill it later,
 * and files may be truncated.
 */
export async function checkCompleteness(
  folder: string,
  source: FoundSource,
  { inspector, leftOut = async () => new Set(), currentTime = Number.POSITIVE_INFINITY }: CompletenessOptions,
): Promise<NotReadyReason | null> {
  const missing = source.missing.length === 0 ? [] : notOfShapefiles(folder, source.missing, await leftOut());
  if (missing.length > 0) return missingReason(missing);
  const unfinished = await unfinishedFileIn(source, currentTime);
  if (unfinished !== null)
    return {
      kind: 'wait-for-change',
      reason: { key: 'sources.doubt.downloading', values: { file: unfinished } },
    };
  const inspected = await inspector.inspectCompleteness({ folder, files: source.files });
  if (inspected.missingVolumes.length > 0) return missingReason(inspected.missingVolumes);
  if (doubtsIn(inspected, new Set()).length === 0) return null;
  const doubts = doubtsIn(inspected, await leftOut());
  return doubts.find(({ kind }) => kind === 'wait-for-change') ?? doubts[0] ?? null;
}

function missingReason(missing: readonly string[]): NotReadyReason {
  const [file = '', ...others] = missing;
  const reason: Said =
    others.length > 0
      ? { key: 'sources.doubt.missingMore', values: { file, more: others.length } }
      : { key: 'sources.doubt.missing', values: { file } };
  return { kind: 'wait-for-change', reason };
}

/** Reasons of files that are uploaded, worst first. */
function doubtsIn(
  { files, findings, unread, zeroTails, dataFiles }: Completeness,
  leftOut: ReadonlySet<string>,
): readonly NotReadyReason[] {
  const sizes = new Map(files.flatMap(({ path, key, size }) => (leftOut.has(path) ? [] : [[key, size]])));
  const ofFindings = findings.flatMap(({ id, values, keys: allKeys }): readonly NotReadyReason[] => {
    const kind = doubtfulFindings[id];
    const keys = allKeys.filter((key) => sizes.has(key));
    if (kind === undefined || keys.length === 0) return [];
    const finding = { id, ...(values && { values }), count: keys.length, files: keys.slice(0, namedAtMost) };
    const reason = foundPhrase(finding);
    if (kind === 'wait-for-change') return [{ kind, reason, finding }];
    // Among tiles, one without points may be meant; alone it is a writer's first header.
    const isUnwritten = id === 'las-no-points' && dataFiles === 1;
    const isHuge = id === 'sparse-file' && keys.some((key) => (sizes.get(key) ?? 0) >= maxSparse);
    return [{ kind: isUnwritten || isHuge ? 'wait-for-change' : kind, reason }];
  });
  const waitFor = (key: 'held' | 'zerosAtEnd', keys: readonly string[]) =>
    keys.flatMap((file): readonly NotReadyReason[] =>
      sizes.has(file)
        ? [{ kind: 'wait-longer', reason: { key: `sources.doubt.${key}`, values: { file: basename(file) } } }]
        : [],
    );
  return [...ofFindings, ...waitFor('held', unread), ...waitFor('zerosAtEnd', zeroTails)];
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

/**
 * Doubts files that are only in the cloud, unless the rule downloads them by reading. Reading can't download
 * placeholder files.
 */
export function checkCloudFiles(
  { cloudFiles }: Pick<WatchRule, 'cloudFiles'>,
  { files, allocated }: FoundSource,
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
