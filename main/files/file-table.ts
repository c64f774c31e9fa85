import type { SourceFile, SourceFiles } from './model.ts';
import { toKey } from './paths.ts';

/** Files of one folder in columns. */
export interface FolderFiles {
  /** Prefix of each path. */
  readonly root: string;
  readonly keyPrefix: string;
  /** Each followed by NUL, which names can't contain. */
  readonly names: string;
  readonly sizes: Float64Array;
  readonly mtimesMs: Float64Array;
  readonly ctimesMs: Float64Array;
}

/** Indexes of files in a source. */
export type Places = readonly number[] | Uint32Array;

interface Folder extends Pick<FolderFiles, 'root' | 'keyPrefix' | 'names'> {
  /** Whether names need no conversion for keys, which would take longer than creating the file. */
  readonly areKeys: boolean;
}

/**
 * All files of a source in columns, about 45 bytes each instead of 150 as objects. Creates files on access,
 * without ids.
 */
export class FileTable implements SourceFiles {
  /** Per run of files in one folder: first index and common values. */
  readonly #firsts: number[] = [];
  readonly #folders: Folder[] = [];
  /** Per file: end of its name in the run's names, and its facts. */
  #nameEnds = new Uint32Array(fewest);
  #sizes = new Float64Array(fewest);
  #mtimesMs = new Float64Array(fewest);
  #ctimesMs = new Float64Array(fewest);
  /** Files added one by one, whose key may have another name than the path. */
  readonly #singleFiles = new Map<number, SourceFile>();
  #length = 0;
  /** The run used last, which mostly contains the next file too. */
  #lastRun = 0;

  get length(): number {
    return this.#length;
  }

  addFolder({ root, keyPrefix, names, sizes, mtimesMs, ctimesMs }: FolderFiles): void {
    if (sizes.length === 0) return;
    const firstPlace = this.#length;
    this.#makeRoom(firstPlace + sizes.length);
    this.#firsts.push(firstPlace);
    this.#folders.push({ root, keyPrefix, names, areKeys: toKey(names) === names });
    this.#sizes.set(sizes, firstPlace);
    this.#mtimesMs.set(mtimesMs, firstPlace);
    this.#ctimesMs.set(ctimesMs, firstPlace);
    for (
      let place = firstPlace, end = names.indexOf('\0');
      end !== -1;
      place++, end = names.indexOf('\0', end + 1)
    )
      this.#nameEnds[place] = end;
    this.#length = firstPlace + sizes.length;
  }

  add(file: SourceFile): void {
    this.#singleFiles.set(this.#length, file);
    this.#length += 1;
    this.#makeRoom(this.#length);
  }

  at(place: number): SourceFile | undefined {
    if (place < 0 || place >= this.#length) return undefined;
    const singleFile = this.#singleFiles.size > 0 && this.#singleFiles.get(place);
    return singleFile || this.#createFile(place, this.#stretchOf(place));
  }

  *[Symbol.iterator](): Generator<SourceFile, undefined> {
    for (let [place, stretch] = [0, 0]; place < this.#length; place++) {
      const singleFile = this.#singleFiles.size > 0 && this.#singleFiles.get(place);
      if (!singleFile) while ((this.#firsts[stretch + 1] ?? this.#length) <= place) stretch += 1;
      yield singleFile || this.#createFile(place, stretch);
    }
  }

  #createFile(place: number, stretch: number): SourceFile {
    const { root, keyPrefix, names, areKeys } = this.#folders[stretch] ?? noFolder;
    const nameStart = place === this.#firsts[stretch] ? 0 : (this.#nameEnds[place - 1] ?? 0) + 1;
    const name = names.slice(nameStart, this.#nameEnds[place]);
    return {
      path: root + name,
      key: keyPrefix + (areKeys ? name : toKey(name)),
      size: this.#sizes[place] ?? 0,
      mtimeMs: this.#mtimesMs[place] ?? 0,
      identity: { fileId: null, ctimeMs: this.#ctimesMs[place] ?? 0 },
    };
  }

  #stretchOf(place: number): number {
    const firsts = this.#firsts;
    const isIn = (stretch: number) =>
      place >= (firsts[stretch] ?? Infinity) && place < (firsts[stretch + 1] ?? Infinity);
    if (isIn(this.#lastRun)) return this.#lastRun;
    let [lowIndex, highIndex] = [0, firsts.length - 1];
    while (lowIndex < highIndex) {
      const middleIndex = (lowIndex + highIndex + 1) >> 1;
      if ((firsts[middleIndex] ?? Infinity) <= place) lowIndex = middleIndex;
      else highIndex = middleIndex - 1;
    }
    this.#lastRun = lowIndex;
    return lowIndex;
  }

  #makeRoom(count: number): void {
    if (count <= this.#sizes.length) return;
    const capacity = Math.max(count, this.#sizes.length * 2);
    this.#nameEnds = enlarge(this.#nameEnds, new Uint32Array(capacity));
    this.#sizes = enlarge(this.#sizes, new Float64Array(capacity));
    this.#mtimesMs = enlarge(this.#mtimesMs, new Float64Array(capacity));
    this.#ctimesMs = enlarge(this.#ctimesMs, new Float64Array(capacity));
  }
}

const fewest = 64;
const noFolder: Folder = { root: '', keyPrefix: '', names: '', areKeys: true };

function enlarge<Column extends Uint32Array | Float64Array>(column: Column, capacity: Column): Column {
  capacity.set(column);
  return capacity;
}

/** A selection of a source's files, by index. */
export class PickedFiles implements SourceFiles {
  readonly #files: SourceFiles;
  readonly #places: Places;

  constructor(files: SourceFiles, places: Places) {
    this.#files = files;
    this.#places = places;
  }

  get length(): number {
    return this.#places.length;
  }

  at(index: number): SourceFile | undefined {
    const place = this.#places[index];
    return place === undefined ? undefined : this.#files.at(place);
  }

  *[Symbol.iterator](): Generator<SourceFile, undefined> {
    for (const place of this.#places) {
      const file = this.#files.at(place);
      if (file) yield file;
    }
  }
}

export function bytesOf(files: Iterable<Pick<SourceFile, 'size'>>): number {
  let bytes = 0;
  for (const { size } of files) bytes += size;
  return bytes;
}
