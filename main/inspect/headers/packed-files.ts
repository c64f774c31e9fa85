import { sep } from 'node:path';
import type { SourceFile } from '../../files/model.ts';
import type { LookPlan } from './choose.ts';
import { type Keys, Texts } from './keys.ts';
import type { HeadTask } from './read-head.ts';
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

/**
 * Makes a path of a key: this text, then the key from so far in, which is more than 0 where what both begin
 * with is written in other Unicode forms.
 */
interface Root {
  readonly text: string;
  readonly from: number;
}

/** Files as they came: the texts of keys are kept whole, and each is made when it is asked for. */
interface Message extends Pick<PackedFiles, 'sizes' | 'mtimesMs' | 'ctimesMs'> {
  /** Index of its first file. */
  readonly first: number;
  readonly keys: Texts;
  /** As they came, where one root does not make them all. */
  readonly paths: Root | Texts;
}

/** Files as they came, in columns. All messages but the last are full. */
export class FileColumns {
  readonly #messages: Message[] = [];
  #length = 0;
  /** Mostly one for all of a source. */
  #root: Root = { text: '', from: 0 };

  add({ paths, keys, ...numbers }: PackedFiles): void {
    const { length } = numbers.sizes;
    const own = new Texts(keys, length);
    const message = { ...numbers, first: this.#length, keys: own, paths: this.#placed(paths, own) };
    this.#messages.push(message);
    this.#length += length;
  }

  /** Of those that came by now. */
  get keys(): Keys {
    const messages = this.#messages;
    return {
      length: this.#length,
      at: (index) => {
        const message = this.#messageOf(index);
        return message?.keys.at(index - message.first);
      },
      *[Symbol.iterator]() {
        for (const { keys } of messages) for (const key of keys) yield key;
      },
    };
  }

  /** All of them, each made when it is asked for. */
  named(): FilesNamed {
    const messages = this.#messages;
    return {
      length: this.#length,
      at: (index) => {
        const message = this.#messageOf(index);
        const key = message?.keys.at(index - message.first);
        return key === undefined ? undefined : { key, size: message?.sizes[index - message.first] ?? 0 };
      },
      *[Symbol.iterator]() {
        for (const { keys, sizes } of messages)
          for (let at = 0; at < keys.length; at++) yield { key: keys.at(at) ?? '', size: sizes[at] ?? 0 };
      },
    };
  }

  /** The root is one for all files of a message, but where folders of two stand side by side. */
  #placed(all: string, keys: Texts): Root | Texts {
    const paths = new Texts(all, keys.length);
    for (let at = 0; at < keys.length; at++) {
      const [path, key] = [paths.at(at) ?? '', inPath(keys.at(at) ?? '')];
      if (isOf(this.#root, path, key)) continue;
      if (at > 0) return paths;
      this.#root = rootOf(path, key);
    }
    return this.#root;
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
    const task = withMembers(headTask(this.#file(index), besideOf), maxMembers);
    if (!deep.has(index)) return task;
    // What was seen without is not enough.
    const { version } = task;
    return { ...task, deep: true, ...(version === undefined ? {} : { version: `${version} deep` }) };
  }

  /** The last may hold any number. */
  #messageOf(index: number): Message | undefined {
    return this.#messages[Math.min(Math.floor(index / filesPerMessage), this.#messages.length - 1)];
  }

  #file(index: number): FileToLookAt {
    const message = this.#messageOf(index);
    if (!message) return { key: '', path: '', version: null };
    const { first, keys, paths, sizes, mtimesMs, ctimesMs } = message;
    const at = index - first;
    const key = keys.at(at) ?? '';
    const path = 'text' in paths ? paths.text + inPath(key).slice(paths.from) : (paths.at(at) ?? '');
    return { key, path, version: versionOf(sizes[at], mtimesMs[at], ctimesMs[at]) };
  }
}

const isOf = ({ text, from }: Root, path: string, key: string): boolean =>
  path.length - text.length === key.length - from && path.startsWith(text) && path.endsWith(key.slice(from));

/** A path ends with all of its key, or with what comes after another system's letters, or a dropped link. */
function rootOf(path: string, key: string): Root {
  let same = 0;
  while (same < Math.min(path.length, key.length) && path.at(-1 - same) === key.at(-1 - same)) same++;
  // A part of a text keeps all of it in memory: what is kept is a copy.
  const text = Buffer.from(path.slice(0, path.length - same), 'utf16le').toString('utf16le');
  return { text, from: key.length - same };
}

/** Files of a source, each made when it is asked for: 100,000 of them as objects would take much memory. */
export interface FilesNamed extends Iterable<FileNamed> {
  readonly length: number;
  /** Undefined past the end. */
  at(place: number): FileNamed | undefined;
}

interface FileNamed {
  readonly key: string;
  readonly size: number;
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

/** Files of one archive that are read: for a guess at its kind, and for all that is found in it. */
export const [fewMembers, maxMembers] = [8, 1_000];

/** The same task, which reads so many of the files in it as well if it is of an archive. */
export function withMembers(task: HeadTask, members: number): HeadTask {
  if (!/[^/]\.(?:zip|kmz|3tz)$/i.test(task.key)) return task;
  const { version } = task;
  const deep = members === maxMembers ? { deep: true as const } : {};
  return { ...task, members, ...deep, ...(version !== undefined && { version: `${version} ${members}` }) };
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
