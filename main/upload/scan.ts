import type { Dirent, Stats } from 'node:fs';
import { lstat, open, opendir, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { TileliftError } from '../errors.ts';
import { createIgnore, type Ignore } from './ignore-rules.ts';
import type { Scan, SourceFile } from './model.ts';
import { readZipNames } from './zip-names.ts';

export interface ScanProgress {
  readonly files: number;
  readonly bytes: number;
}

export interface ScanOptions {
  readonly signal?: AbortSignal;
  /** Called every few hundred files. */
  readonly onProgress?: (progress: ScanProgress) => void;
  /** Default: the rules of `ignore-rules.ts`. */
  readonly ignore?: Ignore;
}

/** Files looked at side by side: enough to hide the latency of a network drive, too few to fill the thread pool for long. */
const batchSize = 64;
/** Paths named in one `source-unreadable` error. */
const namedPaths = 5;

/**
 * Walks the dropped entries and gives every file that is to be sent, with its key: relative to the folder for one dropped folder, the name
 * for one dropped file, under each entry's own base name for several.
 *
 * A dropped entry may itself be a link; links found inside are not followed, wherever they point, and are listed among `ignored`.
 * Ignore rules hold for all but a single dropped entry, which was meant by name.
 *
 * @throws TileliftError `source-missing`, `source-empty`, `source-keys-collide`, or `source-unreadable` naming what can't be read
 * @throws the signal's reason when it aborts
 */
export async function scanSource(paths: readonly string[], options: ScanOptions = {}): Promise<Scan> {
  const { signal, ignore = createIgnore() } = options;
  const walk = new Walk(signal, ignore, options.onProgress);
  for (const path of paths) {
    signal?.throwIfAborted();
    const entry = await statEntry(path);
    const single = paths.length === 1;
    if (!single && ignore(basename(path), entry.isDirectory())) walk.ignored.push(path);
    else if (entry.isDirectory()) await walk.folder(path, single ? '' : `${toKey(basename(path))}/`);
    else if (entry.isFile()) await walk.dropped(path);
    else walk.ignored.push(path);
  }
  walk.check(paths);
  const files = walk.files;
  const only = files.length === 1 ? files[0] : undefined;
  const archivedNames = only?.key.toLowerCase().endsWith('.zip') ? await readZipNames(only.path) : undefined;
  return { files, bytes: walk.bytes, ignored: walk.ignored, ...(archivedNames ? { archivedNames } : {}) };
}

interface Found {
  readonly path: string;
  readonly key: string;
}

class Walk {
  readonly files: SourceFile[] = [];
  readonly ignored: string[] = [];
  readonly #unreadable: { path: string; cause: unknown }[] = [];
  readonly #signal: AbortSignal | undefined;
  readonly #ignore: Ignore;
  readonly #onProgress: ((progress: ScanProgress) => void) | undefined;
  bytes = 0;

  constructor(
    signal: AbortSignal | undefined,
    ignore: Ignore,
    onProgress: ((progress: ScanProgress) => void) | undefined,
  ) {
    this.#signal = signal;
    this.#ignore = ignore;
    this.#onProgress = onProgress;
  }

  /** Lazily: one folder open at a time, at most one batch of its entries in memory beyond what was found. */
  async folder(root: string, keyPrefix: string): Promise<void> {
    const open: { path: string; key: string }[] = [{ path: root, key: keyPrefix }];
    for (let folder = open.pop(); folder; folder = open.pop()) {
      let batch: Found[] = [];
      try {
        for await (const entry of await opendir(folder.path, { bufferSize: batchSize })) {
          this.#signal?.throwIfAborted();
          const path = join(folder.path, entry.name);
          const key = folder.key + toKey(entry.name);
          if (this.#leavesOut(entry)) this.ignored.push(path);
          else if (entry.isDirectory()) open.push({ path, key: `${key}/` });
          else batch.push({ path, key });
          if (batch.length === batchSize) {
            await this.look(batch);
            batch = [];
          }
        }
      } catch (cause) {
        this.#signal?.throwIfAborted();
        this.#unreadable.push({ path: folder.path, cause });
      }
      await this.look(batch);
    }
  }

  async look(batch: readonly Found[]): Promise<void> {
    const results = await Promise.allSettled(batch.map((found) => lookAt(found, lstat)));
    this.#take(batch, results);
  }

  /** A dropped file, which may be a link. */
  async dropped(path: string): Promise<void> {
    const found = { path, key: toKey(basename(path)) };
    this.#take([found], await Promise.allSettled([lookAt(found, stat)]));
  }

  #take(batch: readonly Found[], results: readonly PromiseSettledResult<SourceFile | null>[]): void {
    for (const [index, result] of results.entries()) {
      const path = batch[index]?.path ?? '';
      if (result.status === 'rejected') this.#unreadable.push({ path, cause: result.reason });
      else if (result.value) {
        this.files.push(result.value);
        this.bytes += result.value.size;
      } else this.ignored.push(path);
    }
    this.#onProgress?.({ files: this.files.length, bytes: this.bytes });
  }

  check(paths: readonly string[]): void {
    const [first] = this.#unreadable;
    if (first) {
      const named = this.#unreadable.slice(0, namedPaths).map(({ path }) => path);
      const more = this.#unreadable.length - named.length;
      const subject = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
      throw new TileliftError('source-unreadable', { subject, cause: first.cause });
    }
    if (this.files.length === 0) throw new TileliftError('source-empty', { subject: paths.join(', ') });
    const taken = new Map<string, string>();
    for (const { key, path } of this.files) {
      const other = taken.get(key);
      if (other !== undefined)
        throw new TileliftError('source-keys-collide', { subject: `${other} and ${path}` });
      taken.set(key, path);
    }
  }

  #leavesOut(entry: Dirent): boolean {
    if (entry.isDirectory()) return this.#ignore(entry.name, true);
    return !entry.isFile() || this.#ignore(entry.name, false);
  }
}

/** Null where the entry is no file any more. */
async function lookAt(
  { path, key }: Found,
  read: (path: string) => Promise<Stats>,
): Promise<SourceFile | null> {
  const entry = await read(path);
  if (!entry.isFile()) return null;
  await checkReadable(path);
  return { path, key, size: entry.size, mtimeMs: entry.mtimeMs };
}

/** Opening is the one test of readability that also knows access lists and locks on Windows. */
async function checkReadable(path: string): Promise<void> {
  await (await open(path, 'r')).close();
}

async function statEntry(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new TileliftError(missing ? 'source-missing' : 'source-unreadable', { subject: path, cause });
  }
}

/** Names on macOS come decomposed, on other systems composed: storage gets one form (NFC), case kept. */
function toKey(name: string): string {
  return (sep === '/' ? name : name.replaceAll(sep, '/')).normalize('NFC');
}
