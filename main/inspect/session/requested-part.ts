import type { FindingGroup, FindingId } from '../../../shared/findings.ts';
import type { SourceChanges } from '../../../shared/source-changes.ts';
import { TileliftError } from '../../errors.ts';
import { bytesOf, PickedFiles } from '../../files/file-table.ts';
import type { SourceFiles } from '../../files/model.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import { placesWhere } from '../../files/places.ts';
import { checkChanges } from '../changes/apply-changes.ts';
import { type ChosenChanges, chooseFiles, type TakenAlong } from '../changes/chosen-changes.ts';
import { loadSystems } from '../crs/systems.ts';
import { partOfSource } from '../grouping/part-of-source.ts';
import type { Piece } from '../grouping/propose.ts';
import type { InspectedSource } from '../inspect-source.ts';
import type { OfferedFile, Offers } from './companion-offers.ts';

/** The source that a page shows. */
export interface ShownSource {
  readonly paths: readonly string[];
  readonly files: SourceFiles;
  /** All files in groups that the page knows by position. */
  readonly pieces: readonly Piece[];
  /** Its entries contain files outside this source. */
  readonly isPart: boolean;
  readonly findings: readonly FindingGroup[];
  readonly offers: Offers;
  /** Number of proposed assets if there are several. */
  readonly proposed: number;
}

export function shownSource(source: InspectedSource): ShownSource {
  const { paths, scan, allPieces, isPart, findings, separate } = source;
  const proposed = separate.length;
  return { paths, files: scan.files, pieces: allPieces, isPart, findings, offers: new Map(), proposed };
}

/** The user's request to upload a part of the shown source. */
export interface PartWish {
  readonly paths: readonly string[];
  /** Positions of the pieces to upload; absent for all. */
  readonly pieces?: readonly number[] | undefined;
  readonly changes?: SourceChanges | undefined;
}

export interface WantedPart {
  readonly paths: readonly string[];
  readonly changes?: ChosenChanges;
  /** EPSG code for the files that no sidecar can assign; null for none. */
  readonly inputCrs: number | null;
  /** Absent if the page shows another source. */
  readonly expected?: { readonly files: number; readonly bytes: number };
}

/**
 * Returns paths and changes of a new asset, or refuses impossible changes before there is a job.
 *
 * @param shownSource null if the page shows no source
 * @param showing returns the keys of inspected files with a finding
 * @throws TileliftError as `applyChanges`; `input-invalid` for pieces or changes of a source that isn't shown
 */
export async function wantedPart(
  wish: PartWish,
  shownSource: ShownSource | null,
  showing: (finding: FindingId) => readonly string[],
): Promise<WantedPart> {
  const { changes: requestedChanges } = wish;
  const isNothing = ({ leftOut, assigned, worded = [], takenAlong = [] }: SourceChanges) =>
    leftOut.length + assigned.length + worded.length + takenAlong.length === 0;
  const { paths, only, files } = partOf(wish, shownSource);
  const part: Partial<ChosenChanges> = only ? { only } : {};
  const expected = files.length > 0 ? { expected: { files: files.length, bytes: bytesOf(files) } } : {};
  if (!requestedChanges || isNothing(requestedChanges)) {
    const changes = only && { changes: { ...part, leftOut: [], assigned: [] } };
    return { paths, inputCrs: null, ...expected, ...changes };
  }
  if (!shownSource) throw new TileliftError('input-invalid', { subject: 'changes' });
  const takenAlong = alongOf(
    paths,
    requestedChanges.takenAlong ?? [],
    [...shownSource.offers.values()].flat(),
  );
  const chosen = chooseFiles(requestedChanges, files, (finding) => {
    const groupKeys = shownSource.findings.filter(({ id }) => id === finding).flatMap(({ keys }) => keys);
    return [...groupKeys, ...showing(finding)];
  });
  const changes = { ...part, ...chosen, ...(takenAlong.length > 0 && { takenAlong }) };
  const { systemByCode } = await loadSystems();
  const added = takenAlong.flatMap(({ folder, paths: companionPaths }) =>
    companionPaths.map((path) => ({ path, key: toKey(pathBelow(folder, path) ?? ''), size: 0, mtimeMs: 0 })),
  );
  const { inputCrs } = await checkChanges(files, changes, systemByCode, added);
  return { paths, inputCrs, ...expected, changes };
}

/** Throws `input-invalid`. */
function partOf({ paths, pieces }: PartWish, shownSource: ShownSource | null) {
  const isShown =
    shownSource !== null &&
    paths.length === shownSource.paths.length &&
    paths.every((path, index) => path === shownSource.paths[index]);
  if (!isShown) {
    if (pieces) throw new TileliftError('input-invalid', { subject: 'pieces' });
    const shownFiles = shownSource?.files ?? [];
    const isIn = ({ path }: { readonly path: string }) =>
      paths.some((parentPath) => pathBelow(parentPath, path) !== null);
    return { paths, only: null, files: new PickedFiles(shownFiles, placesWhere(shownFiles, isIn)) };
  }
  if (!pieces && !shownSource.isPart) return { paths, only: null, files: shownSource.files };
  const places = pieces
    ? placesOf(pieces, shownSource)
    : Uint32Array.from({ length: shownSource.files.length }, (_, index) => index);
  const files = new PickedFiles(shownSource.files, places);
  if (files.length === 0) throw new TileliftError('input-invalid', { subject: 'pieces' });
  const part = partOfSource(paths, shownSource.files, places);
  // The folders of added files contain more than the source.
  const only = part.isWhole && !shownSource.isPart ? null : Array.from(files, ({ path }) => path);
  return { paths: part.paths, only, files };
}

function placesOf(pieces: readonly number[], shownSource: ShownSource): readonly number[] {
  const isWanted = new Uint8Array(shownSource.files.length);
  for (const pieceIndex of pieces) {
    for (const place of shownSource.pieces[pieceIndex]?.files ?? []) {
      isWanted[place] = 1;
    }
  }
  return placesWhere(isWanted, (isSelected) => isSelected === 1);
}

/**
 * Throws `path-not-given` for files that weren't offered, so that a compromised page can't upload anything
 * else.
 */
function alongOf(
  dropped: readonly string[],
  requestedPaths: readonly string[],
  offered: readonly OfferedFile[],
): readonly TakenAlong[] {
  const offeredByPath = new Map(offered.map((file) => [file.path, file]));
  const folders = new Map<string, string[]>();
  for (const path of new Set(requestedPaths)) {
    const file = offeredByPath.get(path);
    if (!file) throw new TileliftError('path-not-given', { subject: path });
    if (!dropped.includes(file.dataFile)) continue;
    const paths = folders.get(file.folder) ?? [];
    folders.set(file.folder, paths);
    paths.push(path);
  }
  return [...folders].map(([folder, paths]) => ({ folder, paths }));
}
