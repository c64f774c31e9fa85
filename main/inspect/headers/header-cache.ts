import { deserialize, serialize } from 'node:v8';
import { hashOf } from '../../files/hash-of.ts';
import type { Head } from '../formats/read-file.ts';
import type { Corners } from '../formats/systems/coordinate-system.ts';
import type { HeaderAnswer, HeaderTask } from './read-header.ts';

const maxCachedFiles = 100_000;
const maxSharedAnswers = 2_000;
/** Limit of characters of references. */
const maxCharacters = 8_000_000;
/** Four corners. */
const numbersPerFile = 8;
/** Seed of the second hash; both distinguish files by 85 bits. */
const checkSeed = 0x5eed;

/**
 * Caches results by path and version, so that a second inspection opens no file. Tiles differ only in their
 * position, so the rest is shared, and paths are hashed. Evicts the oldest.
 */
export class HeaderCache {
  /** Row in the columns below by hash, oldest first. */
  readonly #rows = new Map<number, number>();
  /**
   * Continues after the last eviction, as a new iterator would skip all deleted entries first. Null until
   * needed, because it keeps smaller tables of the map in memory.
   */
  #oldest: MapIterator<number> | null = null;
  readonly #freeRows: number[] = [];
  readonly #answers: HeaderAnswer[] = [];
  #checks = new Uint32Array(0);
  /** Eight numbers each; the first is NaN unless there are four corners. */
  #corners = new Float64Array(0);
  /** References of a file, each followed by NUL. */
  readonly #names = new Map<number, string>();
  readonly #members = new Map<number, Buffer>();
  readonly #shared = new Map<string, HeaderAnswer>();
  /** Files being read. */
  readonly #readings = new Map<string, Promise<HeaderAnswer | null>>();
  readonly #maxFiles: number;
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxFiles: number = maxCachedFiles, characterLimit: number = maxCharacters) {
    this.#maxFiles = maxFiles;
    this.#maxCharacters = characterLimit;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Returns the stored answer, or reads the file, once for all callers. */
  async read(
    task: HeaderTask,
    ask: (task: HeaderTask) => Promise<HeaderAnswer | null>,
  ): Promise<HeaderAnswer | null> {
    const fileKey = cacheKey(task);
    const stored = this.get(task);
    if (stored || fileKey === null) return stored ?? ask(task);
    const name = `${fileKey}\0${task.deep ?? ''}\0${task.membersMs ?? ''}`;
    const reading = this.#readings.get(name) ?? ask(task);
    this.#readings.set(name, reading);
    const answer = await reading.finally(() => this.#readings.delete(name));
    if (answer && !this.get(task)) this.store(task, answer);
    return answer;
  }

  get(task: HeaderTask): HeaderAnswer | null {
    const fileKey = cacheKey(task);
    const row = fileKey === null ? undefined : this.#rows.get(hashOf(fileKey));
    if (fileKey === null || row === undefined || this.#checks[row] !== checkOf(fileKey)) return null;
    const storedAnswer = this.#answers[row];
    if (!storedAnswer || (task.deep && !storedAnswer.deep)) return null;
    const names = this.#names.get(row);
    const members = this.#members.get(row);
    const answer: HeaderAnswer = {
      ...storedAnswer,
      ...(names !== undefined && { names: names.split('\0').slice(0, -1) }),
      ...(members !== undefined && { members: deserialize(members) }),
    };
    const corners = this.#cornersOf(row);
    return corners === null || answer.head === null
      ? answer
      : { ...answer, head: { ...answer.head, corners } as Head };
  }

  /**
   * Skips partially read archives, and cloud-only, unread and downloading files, whose state may change with
   * the same version.
   */
  store(task: HeaderTask, { names, members, ...answer }: HeaderAnswer): void {
    const fileKey = cacheKey(task);
    if (fileKey === null || answer.onlyInCloud || answer.unread || answer.downloading || members?.isPartial)
      return;
    const hash = hashOf(fileKey);
    this.#evict(hash);
    const row = this.#freeRows.pop() ?? this.#answers.length;
    this.#growColumns(row);
    this.#rows.set(hash, row);
    this.#checks[row] = checkOf(fileKey);
    this.#answers[row] = this.#share(row, answer);
    if (names) {
      const joinedNames = names.map((name) => `${name}\0`).join('');
      this.#names.set(row, joinedNames);
      this.#characters += joinedNames.length;
    }
    if (members) {
      const memberBytes = serialize(members);
      this.#members.set(row, memberBytes);
      this.#characters += memberBytes.length;
    }
    while (this.#rows.size > this.#maxFiles || this.#characters > this.#maxCharacters) {
      this.#oldest ??= this.#rows.keys();
      const { value, done } = this.#oldest.next();
      if (done) break;
      this.#evict(value);
    }
  }

  #evict(hash: number): void {
    const row = this.#rows.get(hash);
    if (row === undefined) return;
    this.#rows.delete(hash);
    this.#freeRows.push(row);
    for (const texts of [this.#names, this.#members]) {
      this.#characters -= texts.get(row)?.length ?? 0;
      texts.delete(row);
    }
  }

  #growColumns(row: number): void {
    if (row < this.#checks.length) return;
    const rows = Math.max(64, this.#checks.length + (this.#checks.length >> 1));
    const [checks, corners] = [new Uint32Array(rows), new Float64Array(rows * numbersPerFile)];
    checks.set(this.#checks);
    corners.set(this.#corners);
    [this.#checks, this.#corners] = [checks, corners];
  }

  #cornersOf(row: number): Corners | null {
    const numbers = this.#corners.subarray(row * numbersPerFile, (row + 1) * numbersPerFile);
    if (Number.isNaN(numbers[0])) return null;
    return Array.from({ length: numbersPerFile / 2 }, (_, corner) => [
      numbers[2 * corner] ?? 0,
      numbers[2 * corner + 1] ?? 0,
    ]);
  }

  /** Returns the result without corners, shared between files. */
  #share(row: number, answer: HeaderAnswer): HeaderAnswer {
    const { head } = answer;
    const corners = head && 'corners' in head ? head.corners : null;
    const hasFourCorners = corners?.length === numbersPerFile / 2 && !Number.isNaN(corners[0]?.[0]);
    this.#corners.set(hasFourCorners ? corners.flat() : [Number.NaN], row * numbersPerFile);
    const sharedPart = hasFourCorners ? { ...answer, head: { ...head, corners: null } as Head } : answer;
    const text = JSON.stringify(sharedPart);
    const shared = this.#shared.get(text) ?? sharedPart;
    if (this.#shared.size < maxSharedAnswers) this.#shared.set(text, shared);
    return shared;
  }
}

/** Null if changes can't be detected. */
const cacheKey = ({ path, version }: HeaderTask): string | null =>
  version === undefined ? null : `${path}\0${version}`;

const checkOf = (fileKey: string): number => hashOf(fileKey, checkSeed) % 2 ** 32;
