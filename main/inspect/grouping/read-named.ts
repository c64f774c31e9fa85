import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { isOnlyInCloud } from '../../files/left-out/cloud-files.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { placesWhere, sortedBy } from '../../files/places.ts';
import { blockSize } from '../../files/walk/read-folder.ts';
import type { Clock } from '../../outside.ts';
import { extensionOf } from '../headers/choose.ts';
import { bytesForReferences, type ReadReferences } from '../together/references.ts';
import { keyAt } from './natures.ts';

/** Of models, what names pictures: material libraries first, since a few of their bytes name all. */
const readFirst = ['mtl', 'gltf', 'dae', 'obj'];
/** What models name that would be something else by itself. */
const wanted = new Set('tif tiff img jpg jpeg png bmp gif webp tga dds mtl bin'.split(' '));

/** Of one drop: files that are read, bytes of them, and for how long, ms. */
const [maxFiles, maxBytes, usualMs] = [2_000, 64 * 1024 * 1024, 5_000];
/** Folders above a library in which its pictures are looked for. */
const maxAbove = 8;
/** Files that are read at a time. */
const atOnce = 4;

/**
 * Which files models name as their libraries and textures: the key of each with the key of the first file
 * that names it. What can't be read, and what is over the bounds, names nothing.
 */
export async function readNamed(
  files: SourceFiles,
  readReferences: ReadReferences,
  clock: Clock,
  longestMs = usualMs,
): Promise<ReadonlyMap<string, string>> {
  const models = placesWhere(files, ({ key }) => readFirst.includes(extensionOf(key)));
  if (models.length === 0) return new Map();
  const keys = new Map<string, string>();
  for (const { key } of files) {
    if (wanted.has(extensionOf(key))) keys.set(key, key).set(key.toLowerCase(), key);
  }
  if (keys.size === 0) return new Map();
  const found = new Map<string, string>();
  const note = (name: string, from: string) => {
    for (const place of placesOf(name, from)) {
      const key = keys.get(place.normalize('NFC')) ?? keys.get(place.normalize('NFC').toLowerCase());
      if (key === undefined) continue;
      const known = found.get(key);
      if (key !== from && (known === undefined || from < known)) found.set(key, from);
      return;
    }
  };
  const toRead = withinBytes(files, models);
  const stop = new AbortController();
  const work = async () => {
    for (let file = toRead.pop(); file && !stop.signal.aborted; file = toRead.pop()) {
      if (file.content !== undefined || (await isElsewhere(file))) continue;
      const names = await readReferences({ ...file, place: file.key });
      if (!stop.signal.aborted) for (const name of names) note(name, file.key);
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, work));
  await Promise.race([all, clock.sleep(longestMs, stop.signal)]).finally(() => stop.abort());
  return found;
}

/** The last is read first. */
function withinBytes(files: SourceFiles, models: readonly number[]): SourceFile[] {
  const orderOf = (place: number) => {
    const key = keyAt(files, place);
    return `${readFirst.indexOf(extensionOf(key))}${key}`;
  };
  const sorted = sortedBy(models, orderOf);
  let bytes = 0;
  return sorted
    .slice(0, maxFiles)
    .flatMap((place) => files.at(place) ?? [])
    .filter(({ key, size }) => {
      bytes += bytesForReferences(posix.basename(key), size);
      return bytes <= maxBytes;
    })
    .reverse();
}

async function isElsewhere({ path, size }: SourceFile): Promise<boolean> {
  const { blocks } = await stat(path).catch(() => ({ blocks: Number.NaN }));
  return isOnlyInCloud(path, size, blocks * blockSize);
}

/**
 * Where a name may lead: `name` as it leads from its file. Programs look for the pictures of a material
 * library beside the model too, which lies above it if anywhere else.
 */
function placesOf(name: string, from: string): readonly string[] {
  const folder = posix.dirname(from);
  const written = posix.relative(folder, name);
  const parts = extensionOf(from) === 'mtl' && !written.startsWith('../') ? folder.split('/') : [];
  const above = parts.slice(0, maxAbove).map((_part, up) => [...parts.slice(0, -1 - up), written].join('/'));
  return [name, ...above];
}
