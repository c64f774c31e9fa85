import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { isOnlyInCloud } from '../../files/left-out/cloud-files.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { placesWhere, sortedBy } from '../../files/places.ts';
import { blockSize } from '../../files/walk/read-folder.ts';
import type { Clock } from '../../ports.ts';
import { extensionOf } from '../headers/choose.ts';
import { bytesForReferences, type ReadReferences } from '../together/references.ts';
import { keyAt } from './file-classes.ts';

/** Files with references to pictures. Material libraries come first, because a few bytes name all. */
const readFirst = ['mtl', 'gltf', 'dae', 'obj'];
/** Referenced files that would otherwise count as other data. */
const textureExtensions = new Set('tif tiff img jpg jpeg png bmp gif webp tga dds mtl bin'.split(' '));

/** Limits per drop: files, bytes, ms. */
const [maxFiles, maxBytes, usualMs] = [2_000, 64 * 1024 * 1024, 5_000];
/** Parent folders of a library searched for its pictures. */
const maxAbove = 8;
const atOnce = 4;

/**
 * Maps libraries and textures to the first model that references them. Skips unreadable files and those
 * beyond the limits.
 */
export async function readReferences(
  files: SourceFiles,
  readReferences: ReadReferences,
  clock: Clock,
  longestMs = usualMs,
): Promise<ReadonlyMap<string, string>> {
  const models = placesWhere(files, ({ key }) => readFirst.includes(extensionOf(key)));
  if (models.length === 0) return new Map();
  const keys = new Map<string, string>();
  for (const { key } of files) {
    if (textureExtensions.has(extensionOf(key))) keys.set(key, key).set(key.toLowerCase(), key);
  }
  if (keys.size === 0) return new Map();
  const referencingKeys = new Map<string, string>();
  const note = (name: string, referencingFile: string) => {
    for (const place of placesOf(name, referencingFile)) {
      const key = keys.get(place.normalize('NFC')) ?? keys.get(place.normalize('NFC').toLowerCase());
      if (key === undefined) continue;
      const previousKey = referencingKeys.get(key);
      if (key !== referencingFile && (previousKey === undefined || referencingFile < previousKey))
        referencingKeys.set(key, referencingFile);
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
  const allReads = Promise.all(Array.from({ length: atOnce }, work));
  await Promise.race([allReads, clock.sleep(longestMs, stop.signal)]).finally(() => stop.abort());
  return referencingKeys;
}

/** In reverse reading order. */
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
 * Returns the places to try. Programs also search pictures of a material library next to the model, which may
 * be in a parent folder.
 */
function placesOf(name: string, referencingFile: string): readonly string[] {
  const folder = posix.dirname(referencingFile);
  const written = posix.relative(folder, name);
  const parts = extensionOf(referencingFile) === 'mtl' && !written.startsWith('../') ? folder.split('/') : [];
  const parentPaths = parts
    .slice(0, maxAbove)
    .map((_part, up) => [...parts.slice(0, -1 - up), written].join('/'));
  return [name, ...parentPaths];
}
