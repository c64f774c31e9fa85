import type { Corners } from '../formats/coordinate-system.ts';
import type { Head } from '../formats/read-file.ts';
import type { HeadTask, LookAnswers } from './look-tasks.ts';

type Said = LookAnswers['head'];

interface Kept {
  readonly version: string;
  /** Without its corners and what it names: the same object for all files of which the same was seen. */
  readonly said: Said;
  /** One number after the other. */
  readonly corners: readonly number[] | null;
  /** Those that it names, one after the other, each followed by a NUL; null where there are none. */
  readonly names: string | null;
}

const maxKept = 100_000;
/** Different things that were seen. */
const maxShared = 2_000;
/** Characters of what files name. */
const maxCharacters = 8_000_000;

/**
 * What was seen in files, by path and version: a second look at the same files opens none. The tiles of a
 * data set differ in their places alone, so the rest is kept once. Beyond its bound the oldest go.
 */
export class LookCache {
  readonly #kept = new Map<string, Kept>();
  readonly #shared = new Map<string, Said>();
  readonly #most: number;
  readonly #mostCharacters: number;
  #characters = 0;

  constructor(most: number = maxKept, mostCharacters: number = maxCharacters) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
  }

  get size(): number {
    return this.#kept.size;
  }

  get({ path, version }: HeadTask): Said | null {
    const kept = this.#kept.get(path);
    if (!kept || version === undefined || kept.version !== version) return null;
    const { corners, names } = kept;
    const said = names === null ? kept.said : { ...kept.said, names: names.split('\0').slice(0, -1) };
    return corners === null || said.head === null
      ? said
      : { ...said, head: { ...said.head, corners: inPairs(corners) } as Head };
  }

  /** What a cloud service has fetched by then, or may be read by then, bears the same version. */
  keep({ path, version }: HeadTask, said: Said): void {
    if (version === undefined || said.onlyInCloud || said.unread) return;
    this.#forget(path);
    const kept = { version, ...this.#share(said) };
    this.#kept.set(path, kept);
    this.#characters += kept.names?.length ?? 0;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most && this.#characters <= this.#mostCharacters) break;
      this.#forget(oldest);
    }
  }

  #forget(path: string): void {
    this.#characters -= this.#kept.get(path)?.names?.length ?? 0;
    this.#kept.delete(path);
  }

  #share({ names, ...said }: Said): Pick<Kept, 'said' | 'corners' | 'names'> {
    const { head } = said;
    const corners = head && 'corners' in head ? head.corners : null;
    const rest = corners ? { ...said, head: { ...head, corners: null } as Head } : said;
    const text = JSON.stringify(rest);
    const shared = this.#shared.get(text) ?? rest;
    if (this.#shared.size < maxShared) this.#shared.set(text, shared);
    return {
      said: shared,
      corners: corners ? numbersOf(corners) : null,
      names: names?.map((name) => `${name}\0`).join('') ?? null,
    };
  }
}

/** In an array of just that length: one that has grown takes twice as much memory. */
function numbersOf(corners: Corners): readonly number[] {
  return Array.from({ length: 2 * corners.length }, (_, at) => corners[at >> 1]?.[at & 1] ?? 0);
}

function inPairs(numbers: readonly number[]): Corners {
  return Array.from({ length: numbers.length / 2 }, (_, at) => [
    numbers[2 * at] ?? 0,
    numbers[2 * at + 1] ?? 0,
  ]);
}
