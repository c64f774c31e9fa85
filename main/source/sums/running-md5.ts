import { createHash, type Hash } from 'node:crypto';
import { laneCount, Md5Lane, Md5Lanes } from './md5-lanes.ts';

interface Waiting {
  readonly sum: RunningMd5;
  readonly bytes: Buffer;
  readonly done: () => void;
}

/** On x64 alone it was measured. */
const isWorthIt = process.arch === 'x64';
/** For so many turns of the thread fewer than go side by side wait for others, whose reads end meanwhile. */
const turnsForOthers = 4;

/** Of this thread: pieces that nobody has hashed yet, and for how many turns they have waited. */
const waiting: Waiting[] = [];
let turns = 0;
/** Undefined until they are needed. */
let lanes: Md5Lanes | null | undefined;

/**
 * MD5 of bytes that come piece by piece. Pieces of several that come in the same turns of the thread are
 * hashed side by side, which takes half as long. Whoever is alone at first goes the ordinary way to its end.
 */
export class RunningMd5 {
  #alone: Hash | null = null;
  #lane: Md5Lane | null = null;

  /** Ends when the bytes are no more needed. One after the other. */
  update(bytes: Buffer): Promise<void> {
    if (this.#alone || !isWorthIt) {
      this.updateAlone(bytes);
      return Promise.resolve();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    if (waiting.length === 0) setImmediate(hashWaiting);
    waiting.push({ sum: this, bytes, done: resolve });
    return promise;
  }

  /** Once, at the end. */
  digest(): Buffer {
    return this.#lane && lanes ? lanes.digest(this.#lane) : (this.#alone ?? createHash('md5')).digest();
  }

  get isInLane(): boolean {
    return this.#lane !== null;
  }

  /** From when it is asked for on, it goes side by side. */
  get lane(): Md5Lane {
    this.#lane ??= new Md5Lane();
    return this.#lane;
  }

  /** Of one that is in no lane, and will be in none. */
  updateAlone(bytes: Buffer): void {
    this.#alone ??= createHash('md5');
    this.#alone.update(bytes);
  }
}

/**
 * Hashes as many as go side by side, those first that do already; everything else has its turn in between.
 */
function hashWaiting(): void {
  if (waiting.length < laneCount && turns < turnsForOthers) {
    turns += 1;
    setImmediate(hashWaiting);
    return;
  }
  turns = 0;
  waiting.sort((a, b) => Number(b.sum.isInLane) - Number(a.sum.isInLane));
  const some = waiting.splice(0, laneCount);
  if (waiting.length > 0) setImmediate(hashWaiting);
  if (some.length > 1) lanes ??= Md5Lanes.create();
  if (lanes && (some.length > 1 || some[0]?.sum.isInLane))
    lanes.update(some.map(({ sum, bytes }) => ({ lane: sum.lane, bytes })));
  else for (const { sum, bytes } of some) sum.updateAlone(bytes);
  for (const { done } of some) done();
}
