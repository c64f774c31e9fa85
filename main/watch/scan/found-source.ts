import { join, posix } from 'node:path';
import { Fingerprint, lineOf } from '../../files/fingerprint.ts';
import { createIsDerived } from '../../files/left-out/derived-files.ts';
import type { SourceFile } from '../../files/model.ts';
import { toKey } from '../../files/paths.ts';
import { sortedBy } from '../../files/places.ts';
import { sourcePath } from '../../files/whereabouts.ts';
import type { Pause } from '../../work-line.ts';
import type { FoundSource } from '../model/model.ts';
import type { Tree, WatchedFile } from './tree.ts';

/** The files of a source before they are read. */
export interface SourcePlan {
  readonly place: string;
  readonly files: readonly string[];
  /** Folders are complete, including all subfolders. */
  readonly folders: readonly string[];
  readonly keysFrom: string;
  /** Its name without extension, if the files' names contain it. */
  readonly stem: string | null;
  readonly missing: readonly string[];
  readonly spoiltByAny?: boolean;
}

/** Matches a path, which may be missing. */
export type IsWanted = (place: string) => boolean;

/** Whether any of its paths is wanted. */
export const concerns = ({ files, folders, missing }: SourcePlan, isWanted: IsWanted): boolean =>
  [files, folders, missing].some((places) => places.some(isWanted));

/** Reads the files of a plan; null without any. */
export async function toSource(
  root: string,
  plan: SourcePlan,
  tree: Tree,
  pause: Pause,
): Promise<FoundSource | null> {
  const { files: watchedFiles, links } = await contentOf(plan, tree, pause);
  if (watchedFiles.length === 0) return null;
  const keyStart = plan.keysFrom === '' ? 0 : plan.keysFrom.length + 1;
  const keyed = watchedFiles.map((file) => ({ file, key: toKey(file.place.slice(keyStart)) }));
  await pause();
  const sorted = sortedBy(keyed, ({ key }) => key);
  const sums = await createSums(plan, sorted, pause);
  const files: SourceFile[] = [];
  let bytes = 0;
  for (const { file, key } of sorted) {
    const { place, size, mtimeMs } = file;
    files.push({ path: join(root, place), key, size, mtimeMs });
    bytes += size;
    sums.add(key, file);
    await pause();
  }
  return {
    path: sourcePath(plan.place),
    paths: [...plan.files, ...plan.folders].sort().map((place) => join(root, place)),
    keysFrom: join(root, plan.keysFrom),
    files,
    bytes,
    ...(links > 0 && { links }),
    ...sums.digests(),
    allocated: sorted.map(({ file }) => file.allocated),
    missing: plan.missing,
  };
}

async function contentOf(plan: SourcePlan, tree: Tree, pause: Pause) {
  const watchedFiles: WatchedFile[] = [];
  let links = 0;
  const take = async (place: string) => {
    const file = await tree.file(place);
    if (file) watchedFiles.push(file);
    await pause();
  };
  for (const place of plan.files) await take(place);
  const folders = [...plan.folders];
  for (const folder of folders) await tree.readBelow(folder);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listing = await tree.folder(folder);
    links += listing?.links.length ?? 0;
    for (const name of listing?.files ?? []) await take(posix.join(folder, name));
    for (const name of listing?.folders ?? []) folders.push(posix.join(folder, name));
  }
  return { files: watchedFiles, links };
}

interface Keyed {
  readonly file: WatchedFile;
  readonly key: string;
}

/**
 * Hashes a source; add each file. The identity ignores derived files (`derived-files.ts`), unless a source
 * has nothing else.
 */
async function createSums({ stem, missing }: SourcePlan, files: readonly Keyed[], pause: Pause) {
  const dataFingerprint = new Fingerprint();
  const [identity, digest, dataDigest] = [new Fingerprint(), new Fingerprint(), new Fingerprint()];
  const derived = await derivedAmong(files, pause);
  let newestMs = 0;
  for (const { key, file } of files)
    if (!derived.has(key)) newestMs = Math.max(newestMs, Math.floor(file.mtimeMs));
  for (const name of missing) {
    digest.add(name);
    dataDigest.add(name);
  }
  return {
    add: (key: string, { size, mtimeMs, ctimeMs, allocated }: WatchedFile) => {
      const data = `${key}\0${size}\0${mtimeMs}\0${allocated}`;
      dataDigest.add(data);
      digest.add(`${data}\0${ctimeMs}`);
      if (derived.has(key)) return;
      dataFingerprint.add(lineOf({ key, size, mtimeMs }));
      identity.add(lineOf({ key: nameless(key, stem), size, mtimeMs: Math.floor(mtimeMs) - newestMs }));
    },
    digests: () => ({
      dataFingerprint: dataFingerprint.digest(),
      identity: identity.digest(),
      digest: digest.digest(),
      dataDigest: dataDigest.digest(),
      newestMs,
    }),
  };
}

async function derivedAmong(files: readonly Keyed[], pause: Pause): Promise<ReadonlySet<string>> {
  let keys: ReadonlySet<string> | null = null;
  const hasKey = (key: string) => {
    keys ??= new Set(files.map((file) => file.key));
    return keys.has(key);
  };
  const isDerived = createIsDerived(hasKey);
  const derived = new Set<string>();
  for (const { key } of files) {
    if (isDerived(key)) derived.add(key);
    await pause();
  }
  return derived.size === files.length ? new Set() : derived;
}

/**
 * Replaces the own name in each part of the key: `city.gml` and `city_appearance/a.jpg` become `*.gml` and
 * `*_appearance/a.jpg`.
 */
export function nameless(key: string, stem: string | null): string {
  if (stem === null || stem === '') return key;
  const ownName = toKey(stem).toLowerCase();
  const without = (piece: string) => {
    const remainder = piece.slice(ownName.length);
    return piece.toLowerCase().startsWith(ownName) && /^(?:[._]|$)/.test(remainder) ? `*${remainder}` : piece;
  };
  return key.split('/').map(without).join('/');
}
