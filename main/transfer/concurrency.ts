/**
 * How many parts may be in flight.
 *
 * It begins with a few parts (with 32 if they are small files), doubles while that brings more bytes per
 * second, and steps back once it does not. From then on it tries one more now and then, and fewer when parts
 * take much longer for nothing. A window of time is judged by the parts that ended in it. On a long line, on
 * which a part takes seconds, it is judged by the bytes that left meanwhile: there each connection carries
 * only its TCP window per round trip, so up to 64 share the line. The limit falls when a larger share of the
 * requests fails than usual, since storage may be overloaded: it is halved on trial. Where that does not
 * lower the share, the failures have nothing to do with us: the limit returns, and their share is usual.
 */

export const [minInFlight, maxInFlight] = [2, 64];
/** The limit at first, and the highest where there is no round trip, so that more bring nothing. */
const [firstInFlight, maxNear] = [4, 32];
/** Bytes of a file that leaves in one writing: `smallBody` of `storage/requests`. */
const oneWriting = 65_536;
/** Parts up to this size take as long as an answer does, whatever the line. */
export const smallBytes = 1_048_576;
/** A window is judged at this age once as many parts ended as may be in flight, or at the latest. ms */
const [shortestWindowMs, longestWindowMs] = [150, 5_000];
/** A far line with parts of so many ms is a long one; a window and, without as many ends, a trial on it. */
const [longPartMs, longLineWindowMs, longestTrialMs] = [500, 300, 8_000];
/** From few parts it climbs in larger steps there: each takes its time. */
const [fewParts, largeStep, firstOnLongLine] = [8, 4, 16];
/** What more parts must bring, as a share of what they bring on an unsaturated network; the rest is noise. */
const worth = 0.3;
/** Parts that take this much longer without growth stand in a queue: the limit falls to this share. */
const [queueing, fall] = [2, 0.75];
/** A small file takes one round trip, its first on a new connection three. After twice that it is judged. */
const tripsUntilJudged = 6;
/** Parts so much larger or smaller are another kind of work: earlier rates say nothing of it. */
const otherKind = 4;
/** The network may have changed: after so many windows without growth it is tried again. */
const patience = 20;
/** So many failures, and this much above their usual share of the ends, are worth a halving on trial. */
const [tellingFailures, rise] = [6, 0.25];
/** After so many ends a halving is judged by their share: it helps, or more is needed, as above the last. */
const [trialEnds, helps, worse, hopeless] = [20, 0.7, 1.25, 0.8];
/** After so many ends without a rise their share of failures is usual, up to this. */
const [calmEnds, mostUsual] = [50, 0.25];

/** The limit, bytes a second under it, and the means of a part: its time in ms, its bytes. */
type Measure = Readonly<Record<'limit' | 'rate' | 'latency' | 'size', number>>;
/** How one try of a part ended: when, its bytes, and how long it took, ms. */
type PartEnd = Readonly<Record<'at' | 'bytes' | 'ms', number>>;
/** `wireMs`: since its first bytes left. `far`: a round trip takes its time. `full`: more parts waited. */
type Arrival = PartEnd & { readonly wireMs: number; readonly far: boolean; readonly full: boolean };

export class Concurrency {
  /** By throughput alone. */
  #limit = firstInFlight;
  /** Nothing has held it up yet. */
  #doubles = true;
  /** The limit was raised and has yet to show that this brings something. */
  #onTrial = false;
  #isFar = false;
  /** Parts take so long that what leaves is judged, not what ends. Only on a far line. */
  isLongLine = false;
  /** The best window with this kind of parts, and the windows since then. */
  #best: Measure | null = null;
  #stale = 0;
  #window = emptyWindow(0);
  /** What has ended since the limit was changed last. */
  #since = { at: 0, parts: 0, bytes: 0 };
  /** How often the limit is halved, and the share of failures that the last halving is to lower. */
  #halvings = 0;
  #shareToLower: number | null = null;
  /** The share of tries that fails whatever the limit. */
  #usualShare = 0;
  /** Tries that began before `from` ran under another limit. */
  #tries = { from: 0, ends: 0, failed: 0 };

  constructor(at: number) {
    this.#restart(at);
    this.#tries.from = at;
  }

  /** How many parts of this size, bytes, may be in flight. */
  limitFor(size: number): number {
    return Math.max(minInFlight, Math.floor(this.#unhalved(size) / 2 ** this.#halvings));
  }

  /** Storage confirmed a part. */
  partArrived(end: Arrival): void {
    if (!this.#best) this.#limit = this.#unhalved(end.bytes);
    this.#judgeLine(end);
    this.#countEnd(end, false);
    this.#since.parts += 1;
    this.#since.bytes += end.bytes;
    this.#window.parts += 1;
    this.#window.ended += end.bytes;
    this.#window.ms += end.ms;
    this.#judge(end.at, end.full);
  }

  /** A part has to be sent again because storage or the network could not take it. */
  partFailed(end: PartEnd): void {
    this.#countEnd(end, true);
  }

  /** Bytes left, of a part that has been in flight for a while. Says something of a long line alone. */
  bytesMoved({ at, bytes, full }: Pick<Arrival, 'at' | 'bytes' | 'full'>): void {
    if (!this.isLongLine) return;
    this.#window.moved += bytes;
    this.#judge(at, full);
  }

  /** Small files are gone so soon that the threads would run out of them while the journal is written. */
  #unhalved(size: number): number {
    return size > oneWriting ? this.#limit : Math.max(this.#limit, maxNear);
  }

  #countEnd({ at, ms, bytes }: PartEnd, hasFailed: boolean): void {
    const tries = this.#tries;
    if (at - ms < tries.from) return;
    tries.ends += 1;
    if (hasFailed) tries.failed += 1;
    const share = tries.failed / tries.ends;
    const target = this.#shareToLower;
    const isRise = tries.failed >= tellingFailures && share > this.#usualShare + rise;
    if (target === null && isRise) this.#halve(at, bytes, share);
    else if (tries.ends < (target !== null || this.#halvings > 0 ? trialEnds : calmEnds)) return;
    else if (target !== null && share > Math.min(hopeless, target * worse)) this.#halve(at, bytes, share);
    else {
      if (target === null) {
        this.#usualShare = Math.min(Math.max(this.#usualShare, mostUsual), (this.#usualShare + share) / 2);
        if (this.#halvings > 0) tries.from = at;
        this.#halvings = Math.max(0, this.#halvings - 1);
      } else if (share >= target * helps) this.#usualShare = Math.max(this.#usualShare, share);
      this.#shareToLower = null;
      this.#tries = { from: tries.from, ends: 0, failed: 0 };
    }
  }

  /** Fewer parts, on trial. The rates so far hold no longer. */
  #halve(at: number, size: number, share: number): void {
    const isLeast = this.limitFor(size) === minInFlight;
    this.#shareToLower = isLeast ? null : share;
    if (!isLeast) this.#halvings += 1;
    this.#tries = { from: at, ends: 0, failed: 0 };
    this.#doubles = false;
    this.#take(this.#limit, null, false);
    this.#restart(at);
  }

  #restart(at: number): void {
    this.#window = emptyWindow(at);
    this.#since = { at, parts: 0, bytes: 0 };
  }

  /** What a part that ended says of the line: one that was quick comes over no long one. */
  #judgeLine({ at, ms, wireMs, bytes, far }: Arrival): void {
    // A line may be taken for a far one because its first connections were slow to come about.
    if (this.#isFar && !far) this.#limit = Math.min(maxNear, this.#limit);
    this.#isFar = far;
    if (this.isLongLine && (!far || ms < longPartMs / 2)) {
      this.isLongLine = false;
      this.#take(this.#limit, null, false);
    } else if (far && wireMs >= longPartMs && bytes > smallBytes && !this.#best && this.#doubles) {
      // Many at once are worth a trial: on an empty line each would bring as much.
      this.isLongLine = true;
      this.#restart(at);
      const alone = { limit: 1, rate: (bytes * 1000) / ms, latency: ms, size: bytes };
      this.#take(Math.max(this.#limit, firstOnLongLine), alone, true);
    }
  }

  /** Judges the window once it is old enough. */
  #judge(at: number, full: boolean): void {
    const window = this.#window;
    window.isFull ||= full;
    const age = at - window.from;
    const enough = window.parts >= this.#limit ? shortestWindowMs : longestWindowMs;
    // A halved limit says nothing of the throughput, a clock that was set back nothing of the time.
    const isVoid = this.#halvings > 0 || age < 0;
    if (!isVoid && age < (this.isLongLine ? longLineWindowMs : enough)) return;
    this.#window = emptyWindow(at);
    if (isVoid || !window.isFull) return;
    if (this.isLongLine) this.#judgeLong((window.moved * 1000) / age, at);
    else if (window.parts > 0) this.#judgeParts(window, age, at);
  }

  #judgeParts({ parts, ended, ms }: ReturnType<typeof emptyWindow>, age: number, at: number): void {
    const [rate, latency, size] = [(ended * 1000) / age, ms / parts, ended / parts];
    const measure = { limit: this.#limit, rate, latency, size };
    const best = this.#best;
    if (best && (size > best.size * otherKind || size * otherKind < best.size)) {
      this.#limit = this.#unhalved(size);
      this.#doubles = true;
      this.#grow({ ...measure, limit: this.#limit }, at);
    } else if (!best || (this.#onTrial && this.#hasGained(rate, best))) this.#grow(measure, at);
    else if (this.#onTrial) {
      const isNew = at - this.#since.at < best.latency * tripsUntilJudged;
      if (isNew && this.#isFar && size <= smallBytes) return;
      this.#doubles = false;
      this.#take(best.limit, best, false, this.#stale);
    } else if (latency >= best.latency * queueing && rate <= best.rate) {
      // From here on this measure counts: a network that became slower does not push the limit to its end.
      const limit = Math.max(minInFlight, Math.floor(this.#limit * fall));
      this.#take(limit, { ...measure, limit }, false);
    } else if (this.#stale < patience) this.#stale += 1;
    else this.#grow(measure, at);
  }

  /** Much of each part vanishes in buffers: a gain is seen at the best moment of what leaves. */
  #judgeLong(movedRate: number, at: number): void {
    const { parts, bytes, at: since } = this.#since;
    const [limit, best, isSettled] = [this.#limit, this.#best, parts >= this.#limit];
    const rate = Math.max(movedRate, isSettled ? (bytes * 1000) / (at - since) : 0);
    const measure = { limit, rate, latency: 0, size: 0 };
    if (rate === 0) return;
    // New connections take their time until what leaves is what arrives.
    if (this.#onTrial && this.#stale === 0 && !isSettled) this.#stale = 1;
    else if (!best || (this.#onTrial ? this.#hasGained(rate, best) : this.#stale >= patience))
      this.#grow(measure, at);
    else if (!this.#onTrial)
      this.#take(limit, { ...(rate > best.rate ? measure : best), limit }, false, this.#stale + 1);
    else if (!isSettled && at - since < longestTrialMs) this.#stale += 1;
    else {
      // Between both: while one waits for its answer, nothing of it is under way, and others fill the gap.
      const between = Math.floor((best.limit + limit) / 2);
      this.#doubles = false;
      this.#take(between, { ...measure, rate: Math.max(rate, best.rate), limit: between }, false);
      this.#restart(at);
    }
  }

  #hasGained(rate: number, best: Measure): boolean {
    return rate > best.rate * (1 + (worth * (this.#limit - best.limit)) / best.limit);
  }

  #grow(best: Measure, at: number): void {
    const step = this.isLongLine && this.#limit <= fewParts ? largeStep : 2;
    const more = this.#doubles ? this.#limit * step : this.#limit + 1;
    const limit = Math.min(this.#isFar ? maxInFlight : maxNear, more);
    this.#take(limit, best, limit > this.#limit);
    this.#since = { at, parts: 0, bytes: 0 };
  }

  #take(limit: number, best: Measure | null, onTrial: boolean, stale = 0): void {
    this.#limit = limit;
    this.#best = best;
    this.#onTrial = onTrial;
    this.#stale = stale;
  }
}

/** Bytes of parts that ended, and bytes that left. `isFull`: there was more to send than was let go. */
const emptyWindow = (from: number) => ({ from, parts: 0, ended: 0, ms: 0, moved: 0, isFull: false });
