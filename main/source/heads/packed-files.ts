import { sep } from 'node:path';
import type { SourceFile } from '../model.ts';
import type { LookPlan } from './choose.ts';
import type { HeadTask } from './look-tasks.ts';
import { hintBeside, sidecarsWithSystem } from './sidecar-names.ts';

/** Files of a source on their way to a thread: thousands of objects would hold up both sides. */
export interface PackedFiles {
  /** One after the other, each followed by a NUL, which no path holds. */
  readonly paths: string;
  readonly keys: string;
  readonly sizes: Float64Array;
  readonly mtimesMs: Float64Array;
  /** NaN where unknown. */
  readonly ctimesMs: Float64Array;
}

export function packFiles(files: readonly SourceFile[]): PackedFiles {
  return {
    paths: files.map(({ path }) => `${path}\0`).join(''),
    keys: files.map(({ key }) => `${key}\0`).join(''),
    sizes: Float64Array.from(files, ({ size }) => size),
    mtimesMs: Float64Array.from(files, ({ mtimeMs }) => mtimeMs),
    ctimesMs: Float64Array.from(files, ({ identity }) => identity?.ctimeMs ?? Number.NaN),
  };
}

const inPath = (key: string): string => (sep === '/' ? key : key.replaceAll('/', sep));

/** Files in one message: packing them takes less than a millisecond. */
export const filesPerMessage = 500;

/** Files as they came, in columns. All messages but the last are full. */
export class FileColumns {
  readonly keys: string[] = [];
  /** Of files by index: what stands before their key in their path. One for all of a source mostly. */
  readonly #roots: string[] = [];
  readonly #knownRoots = new Map<string, string>();
  /** Paths that don't end with the key: another system's letters, or a file that was dropped by a link. */
  readonly #paths = new Map<number, string>();
  readonly #packed: Pick<PackedFiles, 'sizes' | 'mtimesMs' | 'ctimesMs'>[] = [];

  add({ paths, keys, ...numbers }: PackedFiles): void {
    const all = paths.split('\0');
    for (const [at, key] of keys.split('\0').slice(0, -1).entries()) {
      const path = all[at] ?? '';
      const end = inPath(key);
      if (!path.endsWith(end)) this.#paths.set(this.keys.length, path);
      this.#roots.push(path.endsWith(end) ? this.#root(path.slice(0, path.length - end.length)) : '');
      this.keys.push(key);
    }
    this.#packed.push(numbers);
  }

  /** All of them, each made when it is asked for. */
  named(): FilesNamed {
    const sizeOf = (index: number) => this.#file(index).size;
    const { keys } = this;
    return {
      length: keys.length,
      *[Symbol.iterator]() {
        for (const [index, key] of keys.entries()) yield { key, size: sizeOf(index) };
      },
    };
  }

  /** A part of a text keeps all of it in memory: what is kept is a copy. */
  #root(root: string): string {
    const known = this.#knownRoots.get(root);
    if (known !== undefined) return known;
    const copy = Buffer.from(root, 'utf16le').toString('utf16le');
    this.#knownRoots.set(copy, copy);
    return copy;
  }

  /**
   * What is to be read of a file. `sidecars`: indices of files by their keys in lower case. `deep`: those of
   * which some of the data is looked at.
   */
  task(index: number, { sidecars, deep }: Pick<LookPlan, 'sidecars' | 'deep'>): HeadTask {
    const besideOf = (key: string) => {
      const found = sidecars.get(key);
      return found === undefined ? undefined : this.#file(found);
    };
    const task = headTask(this.#file(index), besideOf);
    if (!deep.has(index)) return task;
    // What was seen without is not enough.
    const { version } = task;
    return { ...task, deep: true, ...(version === undefined ? {} : { version: `${version} deep` }) };
  }

  #file(index: number): FileToLookAt & { readonly size: number } {
    const { sizes, mtimesMs, ctimesMs } = this.#packed[Math.floor(index / filesPerMessage)] ?? packFiles([]);
    const at = index % filesPerMessage;
    return {
      key: this.keys[index] ?? '',
      path: this.#paths.get(index) ?? `${this.#roots[index] ?? ''}${inPath(this.keys[index] ?? '')}`,
      size: sizes[at] ?? 0,
      version: versionOf(sizes[at], mtimesMs[at], ctimesMs[at]),
    };
  }
}

/** Files of a source: 100,000 of them as objects would take much memory. */
export interface FilesNamed extends Iterable<{ readonly key: string; readonly size: number }> {
  readonly length: number;
}

interface FileToLookAt {
  readonly key: string;
  readonly path: string;
  /** Null where nothing tells whether it has changed. */
  readonly version: string | null;
}

/** Of a file of a scan. */
export function fileToLookAt({ key, path, size, mtimeMs, identity }: SourceFile): FileToLookAt {
  return { key, path, version: versionOf(size, mtimeMs, identity?.ctimeMs) };
}

function versionOf(size = Number.NaN, mtimeMs = Number.NaN, ctimeMs = Number.NaN): string | null {
  return Number.isNaN(size + mtimeMs + ctimeMs) ? null : `${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * `besideOf`: a file of the source by its key in lower case, since some programs write `a.PRJ` beside
 * `A.asc`.
 */
export function headTask(
  { key, path, version }: FileToLookAt,
  besideOf: (key: string) => FileToLookAt | undefined,
): HeadTask {
  const beside = sidecarsWithSystem(key.toLowerCase()).flatMap(({ name, kind }) => {
    const file = besideOf(name);
    return file ? [{ file, kind }] : [];
  });
  const hintKey = hintBeside(key.toLowerCase());
  const hint = hintKey === null ? undefined : besideOf(hintKey);
  const versions = [version, ...beside.map(({ file }) => file.version), ...(hint ? [hint.version] : [])];
  return {
    ...{ kind: 'head', key, path },
    sidecars: beside.map(({ file, kind }) => ({ path: file.path, kind })),
    ...(hint ? { hint: hint.path } : {}),
    ...(versions.includes(null) ? {} : { version: versions.join() }),
  };
}
