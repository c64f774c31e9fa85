/**
 * Whether storage compares the CRC32 that comes with a part, or with an object that goes whole: it does where
 * it gives it back. Silence proves nothing (Ceph RGW 16.2 takes wrong ones, too).
 */
export type ChecksumKind = 'unknown' | 'compared' | 'ignored';

/** What a CRC32 came with. */
export type ChecksumPlace = keyof typeof checksumIndex;

/** Whether storage's ETags are MD5s of what it was sent. */
type EtagKind = 'unknown' | 'md5' | 'other';

/** Whether multipart objects' ETags follow AWS's formula (`multipartEtag`). Alibaba's and Ozone's do not. */
type CompositeKind = 'unknown' | 'aws' | 'other';

const skewIndex = 0;
const inHostIndex = 1;
const matchesIndex = 2;
const mismatchesIndex = 3;
const checksumIndex = { part: 4, object: 5 } as const;
const roundTripIndex = 6;
const compositesIndex = 7;
const unmarkedIndex = 8;
/**
 * After this many MD5-like ETags that are not ours, before any that is, they are no MD5s. One may be damage.
 */
const tellingMismatches = 2;

const checksumKinds: readonly ChecksumKind[] = ['unknown', 'compared', 'ignored'];
const compositeKinds: readonly CompositeKind[] = ['unknown', 'aws', 'other'];

/**
 * What the worker threads of one upload have found out about its storage, in shared memory: whichever finds
 * out, all go by it. Numbers, each written whole; an increment that gets lost between two threads costs one
 * more request.
 */
export class StorageFacts {
  static readonly bytes = 9 * Float64Array.BYTES_PER_ELEMENT;
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

  get composites(): CompositeKind {
    return compositeKinds[this.#count(compositesIndex)] ?? 'unknown';
  }

  /** A multipart object's ETag was compared. One that differs shows that this storage counts otherwise. */
  sawComposite(kind: 'aws' | 'other'): void {
    if (this.composites !== 'other') this.#numbers[compositesIndex] = compositeKinds.indexOf(kind);
  }

  /** Storage sends S3's documents without S3's headers, so its other answers may lack them, too. */
  get answersUnmarked(): boolean {
    return this.#numbers[unmarkedIndex] === 1;
  }

  sawUnmarkedDocument(): void {
    this.#numbers[unmarkedIndex] = 1;
  }

  checksums(place: ChecksumPlace): ChecksumKind {
    return checksumKinds[this.#count(checksumIndex[place])] ?? 'unknown';
  }

  /** One answer without it, and for the rest of this upload nothing is left to it. */
  sawChecksum(place: ChecksumPlace, kind: 'compared' | 'ignored'): void {
    if (this.checksums(place) === 'ignored') return;
    this.#numbers[checksumIndex[place]] = checksumKinds.indexOf(kind);
  }

  /** There and back, ms, as the quickest connection so far has shown. Null: none has. */
  get roundTripMs(): number | null {
    return this.#count(roundTripIndex) || null;
  }

  /** A connection was made: as long as its handshakes took, the network's or the encryption's. */
  sawRoundTrip(ms: number): void {
    const known = this.roundTripMs;
    if (known === null || ms < known) this.#numbers[roundTripIndex] = ms;
  }

  #count(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}
