import type { LeftOutReason } from '../../../shared/source.ts';
import { add, type Page, sortInPages } from '../../files/pages.ts';
import { extensionOf } from '../headers/choose.ts';
import { folderOf, nearest } from './folders.ts';
import {
  isKind,
  isUnit,
  type KeyedFiles,
  keyAt,
  type Loose,
  photoEndings,
  type Sight,
  type Sorted,
  type Unit,
} from './natures.ts';
import { Surroundings } from './surroundings.ts';
import { withNamed } from './with-named.ts';

/** From so many on, photos are a capture, and so many that know where they were taken or share a camera. */
const [manyPhotos, fewPhotos] = [20, 3];

/** Gives what belongs to data around it to that, and parts the rest by why it is left out. */
export async function settle(
  files: KeyedFiles,
  found: readonly Loose[],
  sight: Sight,
  page: Page,
): Promise<Sorted> {
  const sets: Loose[] = [];
  const others: Loose[] = [];
  const named = await withNamed(files, found, sight.named ?? new Map(), page);
  for (const set of await withoutModelsOfKml(named, page)) {
    (isKind(set.nature) ? sets : others).push(set);
    if (page.isFull()) await page.turn();
  }
  const around = new Surroundings();
  for (const set of await sortInPages(sets, ({ primary }) => primary, page)) {
    around.add(set);
    if (page.isFull()) await page.turn();
  }
  const rest = new Map<LeftOutReason, number[]>();
  const leaveOut = (reason: LeftOutReason, places: readonly number[]) => {
    const list = rest.get(reason);
    if (list) add(list, places);
    else rest.set(reason, [...places]);
  };
  const photos: Loose[] = [];
  const placed = await placedFolders(others, sight, page);
  for (const set of others) {
    const { nature, primary } = set;
    const isPhoto = nature === 'picture' && photoEndings.has(extensionOf(primary));
    if (nature === 'picture' && placed.has(folderOf(primary))) photos.push(set);
    else {
      const owner = around.ownerFor(set);
      if (owner) add(owner.files, set.files);
      else if (isPhoto) photos.push(set);
      else if (!isKind(nature)) leaveOut(nature, set.files);
    }
    if (page.isFull()) await page.turn();
  }
  const isCapture = () => placed.size > 0 || sight.areOfOneCamera?.(photos.map(({ primary }) => primary));
  const enough = photos.length >= manyPhotos || (photos.length >= fewPhotos && isCapture());
  for (const set of photos) {
    if (enough) sets.push(set.as('3D_CAPTURE'));
    else leaveOut('picture', set.files);
    if (page.isFull()) await page.turn();
  }
  return finish(files, sets, rest, page);
}

async function finish(
  files: KeyedFiles,
  sets: readonly Loose[],
  rest: ReadonlyMap<LeftOutReason, readonly number[]>,
  page: Page,
): Promise<Sorted> {
  const inOrder = (places: readonly number[]) => sortInPages(places, (place) => keyAt(files, place), page);
  const units: Unit[] = [];
  for (const set of await sortInPages(sets, ({ primary }) => primary, page)) {
    if (set.files.length > 1) {
      let at = 0;
      for (const place of await inOrder(set.files)) set.files[at++] = place;
    }
    if (isUnit(set)) units.push(set);
    if (page.isFull()) await page.turn();
  }
  const sorted = new Map<LeftOutReason, readonly number[]>();
  for (const reason of [...rest.keys()].sort()) sorted.set(reason, await inOrder(rest.get(reason) ?? []));
  return { units, rest: sorted };
}

/** A KML names the models in its folder and below. */
async function withoutModelsOfKml(loose: readonly Loose[], page: Page): Promise<readonly Loose[]> {
  const ofKml = new Map<string, Loose>();
  for (const set of loose) {
    if (set.nature === 'KML' && !ofKml.has(folderOf(set.primary))) ofKml.set(folderOf(set.primary), set);
    if (page.isFull()) await page.turn();
  }
  if (ofKml.size === 0) return loose;
  const others: Loose[] = [];
  for (const set of loose) {
    const isPlain = set.nature === '3D_MODEL' && extensionOf(set.primary) === 'dae';
    const kml = isPlain ? nearest(folderOf(set.primary), (folder) => ofKml.get(folder)) : undefined;
    if (kml) add(kml.files, set.files);
    else others.push(set);
    if (page.isFull()) await page.turn();
  }
  return others;
}

/** Folders most of whose photos that were looked at know where they were taken. */
async function placedFolders(
  loose: readonly Loose[],
  sight: Sight,
  page: Page,
): Promise<ReadonlySet<string>> {
  const balance = new Map<string, number>();
  for (const { nature, primary } of loose) {
    const seen = nature === 'picture' ? sight.isPlacedPhoto(primary) : undefined;
    const folder = folderOf(primary);
    if (seen !== undefined) balance.set(folder, (balance.get(folder) ?? 0) + (seen ? 1 : -1));
    if (page.isFull()) await page.turn();
  }
  return new Set([...balance].filter(([, sum]) => sum > 0).map(([folder]) => folder));
}
