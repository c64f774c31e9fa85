/**
 * How many parts may be in flight. Pure; times are ms.
 *
 * It begins with a few parts (with 32 if they are small files), doubles while that brings more bytes per
 * second, and steps back once it does not. From then on it tries one more now and then, and fewer when parts
 * take much longer for nothing. A window of time is judged by the parts that ended in it. On a long line, on
 * which a part takes seconds, it is judged by the bytes that left meanwhile: there each connection carries
 * only its TCP window per round trip, so up to 64 share the line. The limit falls when a larger share of the
 * requests fails than usual, since storage may be overloaded: it is halved on trial. Where that does not
 * lower the share, the failures have nothing to do with us: the limit returns, and their share is usual.
 */

export const minInFlight = 2;
export const maxInFlight = 64;
/** Where a round trip takes no time, more bring nothing. */
const maxNear = 32;

const firstInFlight = 4;
/** A window is judged once it is this old and has seen as many parts end as may be in flight. */
const shortestWindowMs = 150;
/** On a slow network parts take long: then this is enough. */
const longestWindowMs = 5_000;
/** A far line on which a part takes so long is a long one. */
const longPartMs = 500;
/** From few parts it climbs in larger steps there: each takes its time. */
const [fewParts, largeStep, firstOnLongLine] = [8, 4, 16];
/** Files up to this size leave in one writing: `smallBody` of `storage/requests`. */
const oneWriting = 65_536;
/** Parts up to this size take as long as an answer does, whatever the line. */
export const smallBytes = 1_048_576;
/** A window on a long line. */
const longLineWindowMs = 300;
/** More parts on a long line have brought nothing when as many have ended, or after this time. */
const longestTrialMs = 8_000;
/** What more parts must bring, as a share of what they bring on an unsaturated network; the rest is noise. */
const worth = 0.3;
/** Parts that take this much longer without growth stand in a queue. */
const queueing = 2;
const fall = 0.75;
/**
 * A small file takes one round trip, its first on a new connection three: TCP's handshake, TLS's and its own;
 * and it takes as long again until there is a window without such.
 */
const tripsUntilJudged = 6;
/** Parts of another size are another kind of work: what was learned before does not hold. */
const otherKind = 4;
/** The network may have changed: after so many windows without growth it is tried again. */
const patience = 20;

/** So many failures, and this much above their usual share of the ends, are worth a halving on trial. */
const [tellingFailures, rise] = [6, 0.25];
/** After so many ends a halving is judged by their share: it helps, more is needed, or neither. */
const [trialEnds, helps, worse] = [20, 0.7, 1.25];
/** Where more fail than this, fewer requests are right whatever they show. */
const hopeless = 0.8;
/** After so many ends without a rise a halving is taken back, and their share of failures is usual, */
const calmEnds = 50;
/** up to this: more must prove to be independent of the limit. */
const mostUsual = 0.25;

interface Measure {
  /** Parts that were allowed. */
  readonly limit: number;
  /** Bytes a second. */
  readonly rate: number;
  /** Mean time of a part, ms. */
  readonly latency: number;
  /** Mean size of a part. */
  readonly size: number;
}

interface Window {
  readonly from: number;
  readonly parts: number;
  readonly bytes: number;
  readonly ms: number;
  /** Bytes that left, of parts whose first bytes left long before. */
  readonly moved: number;
  /** There was more to send than was let go. */
  readonly full: boolean;
}

/** What has ended since the limit was changed last. */
interface Since {
  readonly at: number;
  readonly parts: number;
  readonly bytes: number;
}

interface Failures {
  /** Tries that began earlier don't count: they ran under another limit. */
  readonly from: number;
  readonly ends: number;
  readonly failed: number;
  /** The share of tries that fails whatever the limit. */
  readonly usual: number;
  /** How often the limit is halved. */
  readonly halvings: number;
  /** The share that the last halving is to lower; null once it is judged. */
  readonly before: number | null;
}

export interface Concurrency {
  /** By throughput alone: `limitOf` has what may be in flight. */
  readonly limit: number;
  /** Nothing has held it up yet. */
  readonly doubling: boolean;
  /** The limit was raised and has yet to show that this brings something. */
  readonly trial: boolean;
  /** A round trip takes its time. */
  readonly far: boolean;
  /** Parts take so long that what leaves is judged, not what ends. Only of a far line. */
  readonly longLine: boolean;
  readonly since: Since;
  /** The best window with this kind of parts. */
  readonly best: Measure | null;
  /** Windows since then. */
  readonly stale: number;
  readonly window: Window;
  readonly failures: Failures;
}

/** How one try of a part ended. */
interface PartEnd {
  readonly at: number;
  readonly bytes: number;
  /** Since it began. */
  readonly ms: number;
}

interface Arrival extends PartEnd {
  /** Since its first bytes left. */
  readonly wireMs: number;
  /** A round trip takes its time. */
  readonly far: boolean;
  /** As many parts were in flight as were allowed, and more waited. */
  readonly full: boolean;
}

export function startConcurrency(at: number): Concurrency {
  return {
    ...{ limit: firstInFlight, doubling: true, trial: false, far: false, longLine: false },
    ...{ since: nothingSince(at), best: null, stale: 0, window: emptyWindow(at) },
    failures: { from: at, ends: 0, failed: 0, usual: 0, halvings: 0, before: null },
  };
}

/** How many parts of this size, bytes, may be in flight. */
export function limitOf(state: Concurrency, size: number): number {
  return Math.max(minInFlight, Math.floor(forSize(state, size).limit / 2 ** state.failures.halvings));
}

/**
 * Files that leave in one writing are gone so soon that the threads would run out of them while the main
 * thread writes to the journal.
 */
function forSize(state: Concurrency, size: number): Concurrency {
  return size > oneWriting || state.limit >= maxNear ? state : { ...state, limit: maxNear };
}

/** Storage confirmed a part. */
export function partArrived(before: Concurrency, end: Arrival): Concurrency {
  const ofKind = before.best ? before : forSize(before, end.bytes);
  const state = countEnd(ofTheLine(ofKind, end), end, false);
  const { window, since } = state;
  return judge(
    {
      ...state,
      since: { ...since, parts: since.parts + 1, bytes: since.bytes + end.bytes },
      window: {
        ...window,
        parts: window.parts + 1,
        bytes: window.bytes + end.bytes,
        ms: window.ms + end.ms,
        full: window.full || end.full,
      },
    },
    end.at,
  );
}

/** A part has to be sent again because storage or the network could not take it. */
export function partFailed(state: Concurrency, end: PartEnd): Concurrency {
  return countEnd(state, end, true);
}

/** Bytes left, of a part that has been in flight for a while. Says something of a long line alone. */
export function bytesMoved(
  state: Concurrency,
  { at, bytes, full }: Pick<Arrival, 'at' | 'bytes' | 'full'>,
): Concurrency {
  if (!state.longLine) return state;
  const { window } = state;
  return judge(
    { ...state, window: { ...window, moved: window.moved + bytes, full: window.full || full } },
    at,
  );
}

function countEnd(state: Concurrency, { at, ms, bytes }: PartEnd, hasFailed: boolean): Concurrency {
  const { failures } = state;
  if (at - ms < failures.from) return state;
  const counted = { ...failures, ends: failures.ends + 1, failed: failures.failed + (hasFailed ? 1 : 0) };
  const { ends, failed, usual, halvings, before } = counted;
  const share = failed / ends;
  const afresh = { ...counted, ends: 0, failed: 0, before: null };
  if (before !== null) {
    if (ends < trialEnds) return { ...state, failures: counted };
    if (share > Math.min(hopeless, before * worse)) return halved(state, counted, at, bytes);
    if (share < before * helps) return { ...state, failures: afresh };
    return { ...state, failures: { ...afresh, usual: Math.max(usual, share) } };
  }
  if (failed >= tellingFailures && share > usual + rise) return halved(state, counted, at, bytes);
  if (ends < (halvings > 0 ? trialEnds : calmEnds)) return { ...state, failures: counted };
  const calm = Math.min(Math.max(usual, mostUsual), (usual + share) / 2);
  if (halvings === 0) return { ...state, failures: { ...afresh, usual: calm } };
  return { ...state, failures: { ...afresh, from: at, halvings: halvings - 1, usual: calm } };
}

/** Fewer parts, on trial. What was learned of the throughput holds no longer. */
function halved(state: Concurrency, failures: Failures, at: number, size: number): Concurrency {
  const { ends, failed, halvings } = failures;
  const isLeast = limitOf({ ...state, failures }, size) === minInFlight;
  const next = { halvings: isLeast ? halvings : halvings + 1, before: isLeast ? null : failed / ends };
  return {
    ...state,
    ...{ doubling: false, trial: false, best: null, stale: 0 },
    ...{ since: nothingSince(at), window: emptyWindow(at) },
    failures: { ...failures, ...next, from: at, ends: 0, failed: 0 },
  };
}

/** What a part that ended says of the line: one that was quick comes over no long one. */
function ofTheLine(before: Concurrency, { at, ms, wireMs, bytes, far }: Arrival): Concurrency {
  if (!far) return before.far ? onNearLine(before) : before;
  const state = { ...before, far };
  if (state.longLine) return ms < longPartMs / 2 ? onFastLine(state) : state;
  if (wireMs < longPartMs || bytes <= smallBytes || state.best || !state.doubling) return state;
  // Many at once are worth a trial: on an empty line each would bring as much.
  const best = { limit: 1, rate: (bytes * 1000) / ms, latency: ms, size: bytes };
  const limit = Math.max(state.limit, firstOnLongLine);
  const afresh = { window: emptyWindow(at), since: nothingSince(at), stale: 0 };
  return { ...state, ...afresh, longLine: true, limit, best, trial: true };
}

/** What was learned of a long line says nothing of another. */
function onFastLine(state: Concurrency): Concurrency {
  return { ...state, longLine: false, trial: false, best: null, stale: 0 };
}

/** It was taken for a far one because its first connections were slow to come about. */
function onNearLine(state: Concurrency): Concurrency {
  const near = { ...state, far: false, limit: Math.min(maxNear, state.limit) };
  return near.longLine ? onFastLine(near) : near;
}

function judge(state: Concurrency, at: number): Concurrency {
  // A halved limit says nothing of the throughput.
  if (state.failures.halvings > 0) return { ...state, window: emptyWindow(at) };
  const age = at - state.window.from;
  // A clock that was set back starts afresh.
  if (age < 0) return { ...state, window: emptyWindow(at) };
  return state.longLine ? judgeLong(state, age, at) : judgeParts(state, age, at);
}

function judgeParts(state: Concurrency, age: number, at: number): Concurrency {
  const { window, best, since } = state;
  if (age < shortestWindowMs || (window.parts < state.limit && age < longestWindowMs)) return state;
  const next = { ...state, window: emptyWindow(at) };
  if (window.parts === 0 || !window.full) return next;
  const now = measure(window, age, state.limit);
  if (!best) return grown(next, now, at);
  if (isOtherKind(best, now)) return grown({ ...forSize(next, now.size), doubling: true }, now, at);
  if (state.trial) {
    if (now.rate > best.rate * neededGain(best.limit, state.limit)) return grown(next, now, at);
    // Those that were added are still making their connections.
    const isNew = at - since.at < best.latency * tripsUntilJudged;
    if (state.far && isNew && now.size <= smallBytes) return next;
    return { ...next, doubling: false, trial: false, limit: best.limit };
  }
  if (now.latency >= best.latency * queueing && now.rate <= best.rate) {
    // From here on what is seen now counts: a network that became slower does not push the limit down to its
    // end.
    const limit = Math.max(minInFlight, Math.floor(state.limit * fall));
    return { ...next, best: { ...now, limit }, stale: 0, limit };
  }
  return state.stale < patience ? { ...next, stale: state.stale + 1 } : grown(next, now, at);
}

/**
 * On a long line parts begin and end together, and much of each vanishes in buffers. So that more parts bring
 * something is seen at the best moment of what leaves, and that they don't only once as many have ended.
 */
function judgeLong(state: Concurrency, age: number, at: number): Concurrency {
  const { window, best, since } = state;
  if (age < longLineWindowMs) return state;
  const next = { ...state, window: emptyWindow(at) };
  if (!window.full) return next;
  const settled = since.parts >= state.limit;
  const ended = settled ? (since.bytes * 1000) / (at - since.at) : 0;
  const rate = Math.max((window.moved * 1000) / age, ended);
  if (rate === 0) return next;
  const now = { limit: state.limit, rate, latency: 0, size: 0 };
  // New connections take their time until what leaves is what arrives.
  if (state.trial && state.stale === 0 && !settled) return { ...next, stale: 1 };
  if (!best) return grown(next, now, at);
  if (state.trial) {
    if (rate > best.rate * neededGain(best.limit, state.limit)) return grown(next, now, at);
    if (!settled && at - since.at < longestTrialMs) return { ...next, stale: state.stale + 1 };
    // Between both: while one waits for its answer, nothing of it is under way, and others fill the gap.
    const limit = Math.floor((best.limit + state.limit) / 2);
    const between = { ...now, rate: Math.max(rate, best.rate), limit };
    return {
      ...{ ...next, best: between, doubling: false, trial: false, stale: 0, limit },
      since: nothingSince(at),
    };
  }
  if (state.stale < patience) {
    const better = rate > best.rate ? now : best;
    return { ...next, best: { ...better, limit: state.limit }, stale: state.stale + 1 };
  }
  return grown(next, now, at);
}

/** More parts, on trial. */
function grown(state: Concurrency, best: Measure, at: number): Concurrency {
  const step = state.longLine && state.limit <= fewParts ? largeStep : 2;
  const most = state.far ? maxInFlight : maxNear;
  const limit = Math.min(most, state.doubling ? state.limit * step : state.limit + 1);
  return { ...state, limit, best, trial: limit > state.limit, stale: 0, since: nothingSince(at) };
}

function neededGain(before: number, now: number): number {
  return 1 + (worth * (now - before)) / before;
}

function measure({ parts, bytes, ms }: Window, age: number, limit: number): Measure {
  return { limit, rate: (bytes * 1000) / age, latency: ms / parts, size: bytes / parts };
}

function isOtherKind(best: Measure, now: Measure): boolean {
  return now.size > best.size * otherKind || now.size * otherKind < best.size;
}

function emptyWindow(from: number): Window {
  return { from, parts: 0, bytes: 0, ms: 0, moved: 0, full: false };
}

function nothingSince(at: number): Since {
  return { at, parts: 0, bytes: 0 };
}
