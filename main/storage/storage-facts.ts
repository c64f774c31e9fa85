/** Whether storage's ETags are MD5s of what it was sent. */
type EtagKind = 'unknown' | 'md5' | 'other';

const skewIndex = 0;
const inHostIndex = 1;
const matchesIndex = 2;
const mismatchesIndex = 3;
/**
 * After this many MD5-like ETags that are not ours, before any that is, they are no MD5s. One may be damage.
 */
const tellingMismatches = 2;

/**
 * What the worker threads of one upload have found out about its storage, in shared memory: whichever finds
 * out, all go by it. Numbers, each written whole; an increment that gets lost between two threads costs one
 * more request.
 */
export class StorageFacts {
  static readonly bytes = 4 * Float64Array.BYTES_PER_ELEMENT;
  readonly #numbers: Float64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#numbers = new Float64Array(memory);
  }

  /** Storage's clock less ours, ms. */
  get skewMs(): number {
    return this.#numbers[skewIndex] ?? 0;
  }
  set skewMs(ms: number) {
    this.#numbers[skewIndex] = ms;
  }

  /** It refused the bucket in the path. */
  get bucketInHost(): boolean {
    return this.#numbers[inHostIndex] === 1;
  }
  set bucketInHost(is: boolean) {
    this.#numbers[inHostIndex] = is ? 1 : 0;
  }

  get etags(): EtagKind {
    if (this.#count(matchesIndex) > 0) return 'md5';
    return this.#count(mismatchesIndex) >= tellingMismatches ? 'other' : 'unknown';
  }

  /** Storage itself confirmed bytes with an ETag of an MD5's shape. */
  sawEtag(isTheirMd5: boolean): void {
    if (isTheirMd5) this.#numbers[matchesIndex] = 1;
    else this.#numbers[mismatchesIndex] = this.#count(mismatchesIndex) + 1;
  }

  #count(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}
