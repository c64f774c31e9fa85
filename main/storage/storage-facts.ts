/**
 * Whether storage compares CRC32s: it does if it returns them. Silence proves nothing (Ceph RGW 16.2 accepts
 * wrong ones).
 */
export type ChecksumKind = 'unknown' | 'compared' | 'ignored';

/** The request that carried a CRC32. */
export type ChecksumPlace = keyof typeof checksumIndex;

type EtagKind = 'unknown' | 'md5' | 'other';

/** Whether multipart ETags follow AWS's formula (`multipartEtag`). Alibaba's and Ozone's don't. */
type CompositeKind = 'unknown' | 'aws' | 'other';

const skewIndex = 0;
const inHostIndex = 1;
const matchesIndex = 2;
const mismatchesIndex = 3;
const checksumIndex = { part: 4, object: 5 } as const;
const roundTripIndex = 6;
const compositesIndex = 7;
const unmarkedIndex = 8;
/** Mismatches without any match that prove ETags aren't MD5s. A single one may be damage. */
const decisiveMismatches = 2;

const checksumKinds: readonly ChecksumKind[] = ['unknown', 'compared', 'ignored'];
const compositeKinds: readonly CompositeKind[] = ['unknown', 'aws', 'other'];

/**
 * Facts about one upload's storage, shared by its worker threads. Each number is written atomically; a lost
 * increment costs one more request.
 */
export class StorageFacts {
  static readonly bytes = 9 * Float64Array.BYTES_PER_ELEMENT;
  readonly #numbers: Float64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#numbers = new Float64Array(memory);
  }

  /** Storage's clock minus ours, ms. */
  get skewMs(): number {
    return this.#numbers[skewIndex] ?? 0;
  }
  set skewMs(ms: number) {
    this.#numbers[skewIndex] = ms;
  }

  get bucketInHost(): boolean {
    return this.#numbers[inHostIndex] === 1;
  }
  set bucketInHost(putsBucketInHost: boolean) {
    this.#numbers[inHostIndex] = putsBucketInHost ? 1 : 0;
  }

  get etags(): EtagKind {
    if (this.#count(matchesIndex) > 0) return 'md5';
    return this.#count(mismatchesIndex) >= decisiveMismatches ? 'other' : 'unknown';
  }

  recordEtag(isTheirMd5: boolean): void {
    if (isTheirMd5) this.#numbers[matchesIndex] = 1;
    else this.#numbers[mismatchesIndex] = this.#count(mismatchesIndex) + 1;
  }

  get composites(): CompositeKind {
    return compositeKinds[this.#count(compositesIndex)] ?? 'unknown';
  }

  /** One mismatch proves that this storage uses another formula. */
  recordComposite(kind: 'aws' | 'other'): void {
    if (this.composites !== 'other') this.#numbers[compositesIndex] = compositeKinds.indexOf(kind);
  }

  /** Storage omits S3's headers, at least on documents. */
  get answersUnmarked(): boolean {
    return this.#numbers[unmarkedIndex] === 1;
  }

  recordUnmarkedDocument(): void {
    this.#numbers[unmarkedIndex] = 1;
  }

  checksums(place: ChecksumPlace): ChecksumKind {
    return checksumKinds[this.#count(checksumIndex[place])] ?? 'unknown';
  }

  /** One response without it stops CRC32s for the rest of this upload. */
  recordChecksum(place: ChecksumPlace, kind: 'compared' | 'ignored'): void {
    if (this.checksums(place) === 'ignored') return;
    this.#numbers[checksumIndex[place]] = checksumKinds.indexOf(kind);
  }

  get roundTripMs(): number | null {
    return this.#count(roundTripIndex) || null;
  }

  recordRoundTrip(ms: number): void {
    const fastest = this.roundTripMs;
    if (fastest === null || ms < fastest) this.#numbers[roundTripIndex] = ms;
  }

  #count(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}
