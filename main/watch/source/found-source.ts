import { join, posix } from 'node:path';
import { Fingerprint, lineOf } from '../../upload/fingerprint.ts';
import type { SourceFile } from '../../upload/model.ts';
import { toKey } from '../../upload/read-folder.ts';
import type { FoundSource } from '../model.ts';
import { type Page, sortInPages } from './pages.ts';
import type { Tree, WatchedFile } from './tree.ts';

/** A source with what its settling is judged by. */
export interface SurveyedSource extends FoundSource {
  /**
   * Of names, sizes, times of modification and change, and bytes on the disk: differs as long as anything writes, also into a file that had its full size
   * from the beginning.
   */
  readonly digest: string;
  /** Bytes that each file has on the disk, in the order of `files`; NaN where the system doesn't say. */
  readonly allocated: readonly number[];
  /** Relative paths that its files name and that are not there (yet). */
  readonly missing: readonly string[];
}

/** Which files a source is made of, before they were looked at. */
export interface SourcePlan {
  /** The place that it is called by. */
  readonly place: string;
  /** Single files. */
  readonly files: readonly string[];
  /** Folders with everything in them. */
  readonly folders: readonly string[];
  /** Keys are relative to this one. */
  readonly keysFrom: string;
  /** Its own name without ending, where that stands in the names of its files. */
  readonly stem: string | null;
  readonly missing: readonly string[];
  /** A file that is not sent, but makes another source of it when it is written again. */
  readonly trigger?: WatchedFile;
}

/** Null when it has no files. */
export async function toSource(
  root: string,
  plan: SourcePlan,
  tree: Tree,
  page: Page,
): Promise<SurveyedSource | null> {
  const found = await filesOf(plan, tree, page);
  if (found.length === 0) return null;
  const from = plan.keysFrom === '' ? 0 : plan.keysFrom.length + 1;
  const keyed = found.map((file) => ({ file, key: toKey(file.place.slice(from)) }));
  if (page.isFull()) await page.turn();
  const sorted = await sortInPages(keyed, ({ key }) => key, page);
  const sums = createSums(plan, found);
  const files: SourceFile[] = [];
  let bytes = 0;
  for (const { file, key } of sorted) {
    const { place, size, mtimeMs } = file;
    files.push({ path: join(root, place), key, size, mtimeMs });
    bytes += size;
    sums.add(key, file);
    if (page.isFull()) await page.turn();
  }
  return {
    path: plan.place === '' ? '.' : toKey(plan.place),
    paths: [...plan.files, ...plan.folders].sort().map((place) => join(root, place)),
    keysFrom: join(root, plan.keysFrom),
    files,
    bytes,
    ...sums.digests(),
    allocated: sorted.map(({ file }) => file.allocated),
    missing: plan.missing,
  };
}

function createSums({ stem, missing, trigger }: SourcePlan, found: readonly WatchedFile[]) {
  const [fingerprint, identity, digest] = [new Fingerprint(), new Fingerprint(), new Fingerprint()];
  let newestMs = Math.floor(trigger?.mtimeMs ?? 0);
  for (const { mtimeMs } of found) newestMs = Math.max(newestMs, Math.floor(mtimeMs));
  const addToIdentity = (key: string, { size, mtimeMs }: WatchedFile) =>
    identity.add(lineOf({ key: nameless(key, stem), size, mtimeMs: Math.floor(mtimeMs) - newestMs }));
  const addToDigest = (key: string, file: WatchedFile) =>
    digest.add(`${key}\0${file.size}\0${file.mtimeMs}\0${file.ctimeMs}\0${file.allocated}`);
  if (trigger) {
    // No file has this key: none is empty.
    addToIdentity('', trigger);
    addToDigest('', trigger);
  }
  for (const name of missing) digest.add(name);
  return {
    add: (key: string, file: WatchedFile) => {
      fingerprint.add(lineOf({ key, size: file.size, mtimeMs: file.mtimeMs }));
      addToIdentity(key, file);
      addToDigest(key, file);
    },
    digests: () => ({
      fingerprint: fingerprint.digest(),
      identity: identity.digest(),
      digest: digest.digest(),
      newestMs,
    }),
  };
}

/** The key with the source’s own name taken out of each of its pieces: `city.gml` and `city_appearance/a.jpg` become `*.gml` and `*_appearance/a.jpg`. */
export function nameless(key: string, stem: string | null): string {
  if (stem === null || stem === '') return key;
  const own = toKey(stem).toLowerCase();
  const without = (piece: string) => {
    const rest = piece.slice(own.length);
    return piece.toLowerCase().startsWith(own) && /^(?:[._]|$)/.test(rest) ? `*${rest}` : piece;
  };
  return key.split('/').map(without).join('/');
}

async function filesOf(plan: SourcePlan, tree: Tree, page: Page): Promise<readonly WatchedFile[]> {
  const found: WatchedFile[] = [];
  const take = async (place: string) => {
    const file = await tree.file(place);
    if (file) found.push(file);
    if (page.isFull()) await page.turn();
  };
  for (const place of plan.files) await take(place);
  const folders = [...plan.folders];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listing = await tree.folder(folder);
    for (const name of listing?.files ?? []) await take(posix.join(folder, name));
    for (const name of listing?.folders ?? []) folders.push(posix.join(folder, name));
  }
  return found;
}
