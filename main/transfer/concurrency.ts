/**
 * Finds how many parts to keep in flight.
 *
 * The limit doubles while throughput grows and steps back when it doesn't; later it occasionally tries one
 * more, and falls when latency rises without gain. A window is judged by the parts that ended in it; on a
 * long line (parts take long) by the bytes that left. There each connection carries one TCP window per
 * round trip, so up to 64 share the line. If the failure rate rises, storage may be overloaded: the limit is
 * halved on trial.
 */

export const [minInFlight, maxInFlight] = [2, 64];
const [firstInFlight, maxNear] = [4, 32];
/** Files up to this size (bytes) leave in a single write: `smallBody` of `storage/requests`. */
const singleWriteBytes = 65_536;
/** Parts up to this size (bytes) take one response time on any line. */
export const smallBytes = 1_048_576;
/** A window's minimum and maximum age, ms. */
const [shortestWindowMs, longestWindowMs] = [150, 5_000];
/** Part time that makes a far line a long one; window and longest trial there, ms. */
const [longPartMs, longLineWindowMs, longestTrialMs] = [500, 300, 8_000];
/** A small limit grows faster on a long line, because each step takes time. */
const [fewParts, largeStep, firstOnLongLine] = [8, 4, 16];
/** Share of the ideal gain a raised limit must reach; latency growth that means queueing; the fall then. */
const [requiredGain, queueingLatency, limitFall] = [0.3, 2, 0.75];
/** A small file takes one round trip, three on a new connection. Judge after twice that. */
const tripsUntilJudged = 6;
/** Parts this many times larger or smaller make earlier rates meaningless. */
const sizeJump = 4;
/** Windows without growth after which a higher limit is tried again, since the network may have changed. */
const retryWindows = 20;
/** Failures and rise above the usual share that trigger a halving on trial. */
const [minFailures, rise] = [6, 0.25];
/** After `trialEnds` tries the failure share decides whether a halving helped. */
const [trialEnds, helps, worseFactor, hopeless] = [20, 0.7, 1.25, 0.8];
/** After `calmEnds` tries without a rise their failure share becomes the usual one. */
const [calmEnds, usualMaxShare] = [50, 0.25];

/** The limit, the rate under it (bytes/s), and the mean time (ms) and size (bytes) of a part. */
type Measure = Readonly<Record<'limit' | 'rate' | 'latency' | 'size', number>>;
type PartEnd = Readonly<Record<'at' | 'bytes' | 'ms', number>>;
/** `wireMs`: since its first bytes left. `isFar`: noticeable round trip. `isFull`: more parts waited. */
type ArrivedPart = PartEnd & { readonly wireMs: number; readonly isFar: boolean; readonly isFull: boolean };
/** `ended`: bytes of finished parts. `moved`: departed bytes. `isFull`: more parts were waiting. */
const emptyWindow = (from: number) => ({ from, parts: 0, ended: 0, ms: 0, moved: 0, isFull: false });

/** Adapts the limit of parts in flight to throughput, latency and failures. */
export class Concurrency {
  /** The limit before halvings. */
  #limit = firstInFlight;
  #isDoubling = true;
  /** A raised limit hasn't proven its gain yet. */
  #onTrial = false;
  #isFar = false;
  /** Departing bytes are judged instead of finished parts. */
  isLongLine = false;
  /** The best window for this part size, and the windows since. */
  #bestMeasure: Measure | null = null;
  #staleWindows = 0;
  #window = emptyWindow(0);
  #sinceChange = { at: 0, parts: 0, bytes: 0 };
  /** Number of halvings, and the failure share that the last one should lower. */
  #halvings = 0;
  #shareToLower: number | null = null;
  /** The failure share that doesn't depend on the limit. */
  #usualShare = 0;
  /** Tries that began before `from` ran under another limit. */
  #trialEnds = { from: 0, ends: 0, failed: 0 };

  constructor(time: number) {
    this.#restart(time);
    this.#trialEnds.from = time;
  }

  /** @param size bytes */
  limitFor(size: number): number {
    return Math.max(minInFlight, Math.floor(this.#unhalved(size) / 2 ** this.#halvings));
  }

  partArrived(end: ArrivedPart): void {
    if (!this.#bestMeasure) this.#limit = this.#unhalved(end.bytes);
    this.#judgeLine(end);
    this.#countEnd(end, false);
    this.#sinceChange.parts += 1;
    this.#sinceChange.bytes += end.bytes;
    this.#window.parts += 1;
    this.#window.ended += end.bytes;
    this.#window.ms += end.ms;
    this.#judge(end.at, end.isFull);
  }

  partFailed(end: PartEnd): void {
    this.#countEnd(end, true);
  }

  /** Bytes of a part in flight departed. Only used on long lines. */
  bytesMoved({ at: time, bytes, isFull }: Pick<ArrivedPart, 'at' | 'bytes' | 'isFull'>): void {
    if (!this.isLongLine) return;
    this.#window.moved += bytes;
    this.#judge(time, isFull);
  }

  /** Small files finish so fast that a low limit would idle the threads during journal writes. */
  #unhalved(size: number): number {
    return size > singleWriteBytes ? this.#limit : Math.max(this.#limit, maxNear);
  }

  #countEnd({ at: time, ms, bytes }: PartEnd, hasFailed: boolean): void {
    const recentEnds = this.#trialEnds;
    if (time - ms < recentEnds.from) return;
    recentEnds.ends += 1;
    if (hasFailed) recentEnds.failed += 1;
    const failedShare = recentEnds.failed / recentEnds.ends;
    const target = this.#shareToLower;
    const isRise = recentEnds.failed >= minFailures && failedShare > this.#usualShare + rise;
    if (target === null && isRise) this.#halve(time, bytes, failedShare);
    else if (recentEnds.ends < (target !== null || this.#halvings > 0 ? trialEnds : calmEnds)) return;
    else if (target !== null && failedShare > Math.min(hopeless, target * worseFactor))
      this.#halve(time, bytes, failedShare);
    else {
      if (target === null) {
        const maxShare = Math.max(this.#usualShare, usualMaxShare);
        this.#usualShare = Math.min(maxShare, (this.#usualShare + failedShare) / 2);
        if (this.#halvings > 0) recentEnds.from = time;
        this.#halvings = Math.max(0, this.#halvings - 1);
      } else if (failedShare >= target * helps) this.#usualShare = Math.max(this.#usualShare, failedShare);
      this.#shareToLower = null;
      this.#trialEnds = { from: recentEnds.from, ends: 0, failed: 0 };
    }
  }

  #halve(time: number, size: number, failedShare: number): void {
    const isLeast = this.limitFor(size) === minInFlight;
    this.#shareToLower = isLeast ? null : failedShare;
    if (!isLeast) this.#halvings += 1;
    this.#trialEnds = { from: time, ends: 0, failed: 0 };
    this.#isDoubling = false;
    this.#setLimit(this.#limit, null, false);
    this.#restart(time);
  }

  #restart(time: number): void {
    this.#window = emptyWindow(time);
    this.#sinceChange = { at: time, parts: 0, bytes: 0 };
  }

  /** A quick part proves that the line isn't long. */
  #judgeLine({ at: time, ms, wireMs, bytes, isFar }: ArrivedPart): void {
    // Slow first connections can make a near line look far.
    if (this.#isFar && !isFar) this.#limit = Math.min(maxNear, this.#limit);
    this.#isFar = isFar;
    if (this.isLongLine && (!isFar || ms < longPartMs / 2)) {
      this.isLongLine = false;
      this.#setLimit(this.#limit, null, false);
      return;
    }
    const isSlow = isFar && wireMs >= longPartMs && bytes > smallBytes;
    if (!isSlow || this.#bestMeasure || !this.#isDoubling) return;
    // A high limit is worth a trial: on an idle line each part would be as fast.
    this.isLongLine = true;
    this.#restart(time);
    const singlePart = { limit: 1, rate: (bytes * 1000) / ms, latency: ms, size: bytes };
    this.#setLimit(Math.max(this.#limit, firstOnLongLine), singlePart, true);
  }

  #judge(time: number, isFull: boolean): void {
    const window = this.#window;
    window.isFull ||= isFull;
    const age = time - window.from;
    const windowMs = window.parts >= this.#limit ? shortestWindowMs : longestWindowMs;
    // Throughput under a halved limit and times after a clock change mean nothing.
    const isVoid = this.#halvings > 0 || age < 0;
    if (!isVoid && age < (this.isLongLine ? longLineWindowMs : windowMs)) return;
    this.#window = emptyWindow(time);
    if (isVoid || !window.isFull) return;
    if (this.isLongLine) this.#judgeLong((window.moved * 1000) / age, time);
    else if (window.parts > 0) this.#judgeParts(window, age, time);
  }

  #judgeParts({ parts, ended, ms }: ReturnType<typeof emptyWindow>, age: number, time: number): void {
    const [rate, latency, size] = [(ended * 1000) / age, ms / parts, ended / parts];
    const measure = { limit: this.#limit, rate, latency, size };
    const bestMeasure = this.#bestMeasure;
    if (bestMeasure && (size > bestMeasure.size * sizeJump || size * sizeJump < bestMeasure.size)) {
      this.#limit = this.#unhalved(size);
      this.#isDoubling = true;
      this.#grow({ ...measure, limit: this.#limit }, time);
    } else if (!bestMeasure || (this.#onTrial && this.#hasGained(rate, bestMeasure)))
      this.#grow(measure, time);
    else if (this.#onTrial) {
      const isNew = time - this.#sinceChange.at < bestMeasure.latency * tripsUntilJudged;
      if (isNew && this.#isFar && size <= smallBytes) return;
      this.#isDoubling = false;
      this.#setLimit(bestMeasure.limit, bestMeasure, false, this.#staleWindows);
    } else if (latency >= bestMeasure.latency * queueingLatency && rate <= bestMeasure.rate) {
      // This measure becomes the baseline, so that a slower network doesn't drive the limit to the minimum.
      const limit = Math.max(minInFlight, Math.floor(this.#limit * limitFall));
      this.#setLimit(limit, { ...measure, limit }, false);
    } else if (this.#staleWindows < retryWindows) this.#staleWindows += 1;
    else this.#grow(measure, time);
  }

  /** Socket buffers hide much of each part, so the best departure rate counts. */
  #judgeLong(movedRate: number, time: number): void {
    const { parts, bytes, at: changedAt } = this.#sinceChange;
    const [limit, bestMeasure, isSettled] = [this.#limit, this.#bestMeasure, parts >= this.#limit];
    const rate = Math.max(movedRate, isSettled ? (bytes * 1000) / (time - changedAt) : 0);
    const measure = { limit, rate, latency: 0, size: 0 };
    if (rate === 0) return;
    // On new connections the departure rate takes time to match the arrival rate.
    if (this.#onTrial && this.#staleWindows === 0 && !isSettled) this.#staleWindows = 1;
    else if (!bestMeasure) this.#grow(measure, time);
    else if (this.#onTrial ? this.#hasGained(rate, bestMeasure) : this.#staleWindows >= retryWindows)
      this.#grow(measure, time);
    else if (!this.#onTrial) {
      const better = rate > bestMeasure.rate ? measure : bestMeasure;
      this.#setLimit(limit, { ...better, limit }, false, this.#staleWindows + 1);
    } else if (!isSettled && time - changedAt < longestTrialMs) this.#staleWindows += 1;
    else {
      // Settle halfway: while one part waits for its response, others fill the line.
      const halfway = Math.floor((bestMeasure.limit + limit) / 2);
      this.#isDoubling = false;
      this.#setLimit(halfway, { ...measure, rate: Math.max(rate, bestMeasure.rate), limit: halfway }, false);
      this.#restart(time);
    }
  }

  #hasGained(rate: number, best: Measure): boolean {
    return rate > best.rate * (1 + (requiredGain * (this.#limit - best.limit)) / best.limit);
  }

  #grow(bestMeasure: Measure, time: number): void {
    const step = this.isLongLine && this.#limit <= fewParts ? largeStep : 2;
    const raisedLimit = this.#isDoubling ? this.#limit * step : this.#limit + 1;
    const limit = Math.min(this.#isFar ? maxInFlight : maxNear, raisedLimit);
    this.#setLimit(limit, bestMeasure, limit > this.#limit);
    this.#sinceChange = { at: time, parts: 0, bytes: 0 };
  }

  #setLimit(limit: number, bestMeasure: Measure | null, onTrial: boolean, staleWindows = 0): void {
    this.#limit = limit;
    this.#bestMeasure = bestMeasure;
    this.#onTrial = onTrial;
    this.#staleWindows = staleWindows;
  }
}
