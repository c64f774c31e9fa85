/**
 * Looks further apart than this share of the time watched for count as if they were no further: what happened
 * between them was not watched.
 */
const maxBetweenLooks = 1 / 4;
/** Entries kept; a folder of more claims than this is no folder that people share. */
const maxKept = 50_000;

interface Seen {
  readonly generation: string;
  readonly at: number;
  readonly restedMs: number;
}

/**
 * How long claims have stayed as they are while this computer watched, by its own clock that never jumps.
 * Neither the file server's clock nor another computer's is asked: either may be set forward by hours. Time
 * in which this one slept, or the server was away, is hardly counted, since nobody could be seen to renew
 * then.
 */
export class SeenClaims {
  readonly #staleMs: number;
  readonly #elapsed: () => number;
  readonly #seen = new Map<string, Seen>();

  /** `elapsed`: monotonic ms. */
  constructor(staleMs: number, elapsed: () => number) {
    this.#staleMs = staleMs;
    this.#elapsed = elapsed;
  }

  /** To be called at every look. True once the entry has been watched for long enough without a change. */
  isStale(name: string, generation: string): boolean {
    const at = this.#elapsed();
    const before = this.#seen.get(name);
    const isSame = before?.generation === generation;
    const since = isSame ? Math.min(at - before.at, this.#staleMs * maxBetweenLooks) : 0;
    const restedMs = isSame ? before.restedMs + since : 0;
    if (this.#seen.size >= maxKept) this.#seen.clear();
    this.#seen.set(name, { generation, at, restedMs });
    return restedMs >= this.#staleMs;
  }
}
