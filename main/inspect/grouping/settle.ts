import type { LeftOutReason } from '../../../shared/source.ts';
import { placeholderOf } from '../../files/left-out/cloud-files.ts';
import { add, sortedBy } from '../../files/places.ts';
import { extensionOf } from '../headers/choose.ts';
import {
  type ContentFacts,
  type FileSet,
  isKind,
  isUnit,
  type KeyedFiles,
  keyAt,
  photoEndings,
  type Sorted,
  servedKinds,
  type Unit,
} from './file-classes.ts';
import { folderOf, nearest } from './folders.ts';
import { mergeReferenced } from './merge-referenced.ts';
import { Surroundings } from './surroundings.ts';

/** Number of photos that make a capture, and the number if they have positions or share a camera. */
const [manyPhotos, fewPhotos] = [20, 3];

/** Assigns other files to the data around them and groups the rest by reason. */
export function settle(files: KeyedFiles, looseSets: readonly FileSet[], contentFacts: ContentFacts): Sorted {
  const sets: FileSet[] = [];
  const servedSets: FileSet[] = [];
  const unassignedSets: FileSet[] = [];
  const leftOutFiles = new Map<LeftOutReason, number[]>();
  const leaveOut = (reason: LeftOutReason, places: readonly number[]) => {
    const list = leftOutFiles.get(reason);
    if (list) add(list, places);
    else leftOutFiles.set(reason, [...places]);
  };
  const mergedSets = mergeReferenced(files, looseSets, contentFacts.referencingKeys ?? new Map());
  for (const set of withoutModelsOfKml(mergedSets)) {
    if (isHidden(set, files)) leaveOut('hidden', set.files);
    else if (servedKinds.has(set.fileClass)) servedSets.push(set);
    else (isKind(set.fileClass) ? sets : unassignedSets).push(set);
  }
  const around = new Surroundings();
  for (const set of sortedBy(sets, ({ primary }) => primary)) {
    around.add(set);
  }
  const photos: FileSet[] = [];
  const placed = placedFolders(unassignedSets, contentFacts);
  for (const set of unassignedSets) {
    const { fileClass, primary } = set;
    const isPhoto = fileClass === 'picture' && photoEndings.has(extensionOf(primary));
    if (fileClass === 'picture' && placed.has(folderOf(primary))) photos.push(set);
    else {
      const owner = around.ownerFor(set);
      if (owner) add(owner.files, set.files);
      else if (isPhoto) photos.push(set);
      else if (!isKind(fileClass)) leaveOut(fileClass, set.files);
    }
  }
  const isCapture = () =>
    placed.size > 0 || contentFacts.areOfOneCamera?.(photos.map(({ primary }) => primary));
  const enough = photos.length >= manyPhotos || (photos.length >= fewPhotos && isCapture());
  for (const set of photos) {
    if (enough) sets.push(set.as('3D_CAPTURE'));
    else leaveOut('picture', set.files);
  }
  // Next to other data they are outlines and notes.
  if (sets.length > 0) for (const set of servedSets) leaveOut('foreign', set.files);
  return finish(files, sets.length > 0 ? sets : servedSets, leftOutFiles);
}

/** Programs hide settings and marks. A cloud service’s placeholder represents data. */
function isHidden({ primary, files: places }: FileSet, files: KeyedFiles): boolean {
  const name = primary.slice(primary.lastIndexOf('/') + 1);
  return name.startsWith('.') && primary === keyAt(files, places[0]) && placeholderOf(name) === null;
}

function finish(
  files: KeyedFiles,
  sets: readonly FileSet[],
  leftOutFiles: ReadonlyMap<LeftOutReason, readonly number[]>,
): Sorted {
  const inOrder = (places: readonly number[]) => sortedBy(places, (place) => keyAt(files, place));
  const units: Unit[] = [];
  for (const set of sortedBy(sets, ({ primary }) => primary)) {
    if (set.files.length > 1) {
      let index = 0;
      for (const place of inOrder(set.files)) set.files[index++] = place;
    }
    if (isUnit(set)) units.push(set);
  }
  const sorted = new Map<LeftOutReason, readonly number[]>();
  for (const reason of [...leftOutFiles.keys()].sort())
    sorted.set(reason, inOrder(leftOutFiles.get(reason) ?? []));
  return { units, leftOutFiles: sorted };
}

/** KML files reference models in their folder and below. */
function withoutModelsOfKml(loose: readonly FileSet[]): readonly FileSet[] {
  const ofKml = new Map<string, FileSet>();
  for (const set of loose) {
    if (set.fileClass === 'KML' && !ofKml.has(folderOf(set.primary))) ofKml.set(folderOf(set.primary), set);
  }
  if (ofKml.size === 0) return loose;
  const unassignedSets: FileSet[] = [];
  for (const set of loose) {
    const isPlain = set.fileClass === '3D_MODEL' && extensionOf(set.primary) === 'dae';
    const kml = isPlain ? nearest(folderOf(set.primary), (folder) => ofKml.get(folder)) : undefined;
    if (kml) add(kml.files, set.files);
    else unassignedSets.push(set);
  }
  return unassignedSets;
}

function placedFolders(loose: readonly FileSet[], contentFacts: ContentFacts): ReadonlySet<string> {
  const balance = new Map<string, number>();
  for (const { fileClass, primary } of loose) {
    const isPlaced = fileClass === 'picture' ? contentFacts.isPlacedPhoto(primary) : undefined;
    const folder = folderOf(primary);
    if (isPlaced !== undefined) balance.set(folder, (balance.get(folder) ?? 0) + (isPlaced ? 1 : -1));
  }
  return new Set([...balance].filter(([, sum]) => sum > 0).map(([folder]) => folder));
}
