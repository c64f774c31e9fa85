import { basename, dirname, extname, relative, sep } from 'node:path';
import type { FindingGroup } from '../../../shared/findings.ts';
import { bytesOf } from '../../files/file-table.ts';
import type { Scan } from '../../files/model.ts';
import type { ChosenChanges } from '../changes/chosen-changes.ts';
import { tellerOf } from '../changes/virtual-files.ts';
import type { InspectedSource, RecognizedSource } from '../inspect-source.ts';
import { pieceView } from './piece-views.ts';

const maxListed = 500;
/** Most keys of one decision that a page can send back. */
const maxKeys = 10_000;

/** Preliminary result that the New asset sheet shows first. */
export type Guess = ReturnType<typeof guessOf>;

/** @param withOffers adds offered neighbours to findings */
export function guessOf(
  source: InspectedSource,
  withOffers: (groups: readonly FindingGroup[]) => readonly FindingGroup[],
) {
  const { paths, scan, findings, separate, suggestSeparate, footprints, taken } = source;
  const { ignored, links = [], emptyFolders = [], notUtf8 = [] } = scan;
  const listed = (listedPaths: readonly string[]) =>
    listedPaths
      .slice(0, maxListed)
      .map((path) => displayPath(path, paths))
      .sort();
  return {
    ...guessedAsset(source),
    paths,
    extensions: countExtensions(scan),
    ignoredCount: ignored.length,
    ignoredNames: listed(ignored),
    linkCount: links.length,
    links: listed(links),
    emptyFolderCount: emptyFolders.length,
    emptyFolders: listed(emptyFolders),
    ...(notUtf8.length > 0 && { notUtf8: { count: notUtf8.length, names: listed(notUtf8) } }),
    footprints,
    findings: withOffers(findings),
    density: null,
    seen: null,
    separate: separate.map(guessedAsset),
    assets: separate.map(({ seen }, group) => ({ group, ...seen, findings: withOffers(seen.findings) })),
    suggestSeparate,
    pieces: source.allPieces.map((piece) => pieceView(piece, scan.files)),
    taken,
    fileCount: scan.files.length,
    bytes: scan.bytes,
  };
}

function guessedAsset({ paths, files, pieces, primary, suggestion }: RecognizedSource) {
  return {
    ...{ paths, pieces, suggestion },
    suggestedName: suggestName(primary === null ? paths : [primary]),
    fileCount: files.length,
    bytes: bytesOf(files),
    // Remember unrecognised data by its most frequent extension.
    kindKey: suggestion?.sourceType ?? (countExtensions({ files })[0]?.extension.slice(0, 200) || 'none'),
  };
}

function countExtensions({ files }: Pick<Scan, 'files'>) {
  const counts = new Map<string, number>();
  for (const { key } of files) {
    const extension = extname(key).toLowerCase();
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return [...counts].map(([extension, count]) => ({ extension, count })).sort((a, b) => b.count - a.count);
}

/** Relative to the dropped folder, or with its name if several were dropped. */
function displayPath(path: string, paths: readonly string[]): string {
  const entry = paths.find(
    (entryPath) =>
      path === entryPath || path.startsWith(entryPath.endsWith(sep) ? entryPath : entryPath + sep),
  );
  if (entry === undefined) return path;
  return relative(paths.length === 1 ? entry : dirname(entry), path) || basename(path);
}

/** `LoD2_Altstadt.zip` becomes "LoD2 Altstadt". */
function suggestName(paths: readonly string[]): string {
  const firstPath = paths[0] ?? '';
  const name = basename(firstPath, extname(firstPath)) || basename(firstPath);
  return name.replaceAll('_', ' ').trim();
}

/**
 * Returns earlier decisions about a job's files for correction. Omits missing files and systems set by the
 * asset's options.
 *
 * @param files now in the source
 */
export function keysAsSent(
  { leftOut, assigned: assignedSystems, worded: inWords = [] }: ChosenChanges,
  { files }: Pick<Scan, 'files'>,
) {
  const decided = new Set(
    [leftOut, ...[...assignedSystems, ...inWords].map((change) => change.files)].flat(),
  );
  const keys = new Map<string, string>();
  for (const { path, key } of files) if (decided.has(path)) keys.set(path, key);
  const keysOf = (paths: readonly string[]) =>
    paths.flatMap((path) => keys.get(path) ?? []).slice(0, maxKeys);
  const assigned = assignedSystems.map(({ epsg, files: paths }) => ({
    epsg,
    keys: keysOf(paths).filter((key) => tellerOf(key)?.kind !== 'option'),
  }));
  const worded = inWords
    .map(({ wkt, files: paths }) => ({ wkt, keys: keysOf(paths) }))
    .filter(({ keys: remainingKeys }) => remainingKeys.length > 0);
  return {
    leftOut: keysOf(leftOut),
    assigned: assigned.filter(({ keys: remainingKeys }) => remainingKeys.length > 0),
    ...(worded.length > 0 && { worded }),
  };
}
