import { deserialize, serialize } from 'node:v8';
import { hashOf } from '../../files/hash-of.ts';
import type { Head } from '../formats/read-file.ts';
import type { Corners } from '../formats/systems/coordinate-system.ts';
import type { HeadAnswer, HeadTask } from './read-head.ts';

const maxKept = 100_000;
const maxShared = 2_000;
/** Limit of characters of references. */
const maxCharacters = 8_000_000;
/** Four corners. */
const numbersOfFile = 8;
/** Seed of the second hash; both distinguish files by 85 bits. */
const otherSeed = 0x5eed;

/**
 * Caches results by path and version, so that a second inspection opens no file. Tiles differ only in their
 * position, so the rest is shared, and paths are hashed. Evicts the oldest.
 */
export class LookCache {
  /** Row in the columns below by hash, oldest first. */
  readonly #rows = new Map<number, number>();
  /**
   * Continues after the last eviction, as a new iterator would skip all deleted entries first. Null until
   * needed, because it keeps smaller tables of the map in memory.
   */
  #oldest: MapIterator<number> | null = null;
  readonly #free: number[] = [];
  readonly #said: HeadAnswer[] = [];
  #checks = new Uint32Array(0);
  /** Eight numbers each; the first is NaN unless there are four corners. */
  #corners = new Float64Array(0);
  /** References of a file, each followed by NUL. */
  readonly #names = new Map<number, string>();
  readonly #members = new Map<number, Buffer>();
  readonly #shared = new Map<string, HeadAnswer>();
  readonly #most: number;
  readonly #mostCharacters: number;
  #characters = 0;

  constructor(most: number = maxKept, mostCharacters: number = maxCharacters) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(task: HeadTask): HeadAnswer | null {
    const file = nameOf(task);
    const row = file === null ? undefined : this.#rows.get(hashOf(file));
    if (file === null || row === undefined || this.#checks[row] !== checkOf(file)) return null;
    const kept = this.#said[row];
    if (!kept) return null;
    const names = this.#names.get(row);
    const members = this.#members.get(row);
    const said: HeadAnswer = {
      ...kept,
      ...(names !== undefined && { names: names.split('\0').slice(0, -1) }),
      ...(members !== undefined && { members: deserialize(members) }),
    };
    const corners = this.#cornersOf(row);
    return corners === null || said.head === null
      ? said
      : { ...said, head: { ...said.head, corners } as Head };
  }

  /** Skips cloud-only and unread files, which may become readable with the same version. */
  keep(task: HeadTask, { names, members, ...said }: HeadAnswer): void {
    const file = nameOf(task);
    if (file === null || said.onlyInCloud || said.unread) return;
    const hash = hashOf(file);
    this.#forget(hash);
    const row = this.#free.pop() ?? this.#said.length;
    this.#makeRoom(row);
    this.#rows.set(hash, row);
    this.#checks[row] = checkOf(file);
    this.#said[row] = this.#share(row, said);
    if (names) {
      const all = names.map((name) => `${name}\0`).join('');
      this.#names.set(row, all);
      this.#characters += all.length;
    }
    if (members) {
      const all = serialize(members);
      this.#members.set(row, all);
      this.#characters += all.length;
    }
    while (this.#rows.size > this.#most || this.#characters > this.#mostCharacters) {
      this.#oldest ??= this.#rows.keys();
      const { value, done } = this.#oldest.next();
      if (done) break;
      this.#forget(value);
    }
  }

  #forget(hash: number): void {
    const row = this.#rows.get(hash);
    if (row === undefined) return;
    this.#rows.delete(hash);
    this.#free.push(row);
    for (const texts of [this.#names, this.#members]) {
      this.#characters -= texts.get(row)?.length ?? 0;
      texts.delete(row);
    }
  }

  #makeRoom(row: number): void {
    if (row < this.#checks.length) return;
    const rows = Math.max(64, this.#checks.length + (this.#checks.length >> 1));
    const [checks, corners] = [new Uint32Array(rows), new Float64Array(rows * numbersOfFile)];
    checks.set(this.#checks);
    corners.set(this.#corners);
    [this.#checks, this.#corners] = [checks, corners];
  }

  #cornersOf(row: number): Corners | null {
    const numbers = this.#corners.subarray(row * numbersOfFile, (row + 1) * numbersOfFile);
    if (Number.isNaN(numbers[0])) return null;
    return Array.from({ length: numbersOfFile / 2 }, (_, at) => [
      numbers[2 * at] ?? 0,
      numbers[2 * at + 1] ?? 0,
    ]);
  }

  /** Returns the result without corners, shared between files. */
  #share(row: number, said: HeadAnswer): HeadAnswer {
    const { head } = said;
    const corners = head && 'corners' in head ? head.corners : null;
    const isUsual = corners?.length === numbersOfFile / 2 && !Number.isNaN(corners[0]?.[0]);
    this.#corners.set(isUsual ? corners.flat() : [Number.NaN], row * numbersOfFile);
    const rest = isUsual ? { ...said, head: { ...head, corners: null } as Head } : said;
    const text = JSON.stringify(rest);
    const shared = this.#shared.get(text) ?? rest;
    if (this.#shared.size < maxShared) this.#shared.set(text, shared);
    return shared;
  }
}

/** Null if changes can't be detected. */
const nameOf = ({ path, version }: HeadTask): string | null =>
  version === undefined ? null : `${path}\0${version}`;

const checkOf = (file: string): number => hashOf(file, otherSeed) % 2 ** 32;
