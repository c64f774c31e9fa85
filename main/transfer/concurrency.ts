/**
 * How many parts may be in flight: grows while throughput grows, falls on errors or when parts take much
 * longer for nothing (additive increase, multiplicative decrease). Pure; times are ms.
 *
 * On a near network windows are judged by the parts that ended in them. On a long line that would take
 * seconds each: there they are judged by the bytes that left meanwhile.
 */

export const minInFlight = 2;
export const maxInFlight = 64;
/** Where there and back takes no time, more bring nothing. */
const maxNear = 32;

const firstInFlight = 4;
/** A window is judged once it is this old and has seen as many parts end as may be in flight. */
const shortestWindowMs = 150;
/** On a slow network parts take long: then this is enough. */
const longestWindowMs = 5_000;
/** A far line on which a part takes so long is a long one. */
const longPartMs = 500;
/** From few parts it is climbed in larger steps there: each takes its time. */
const [fewParts, largeStep, firstOnLongLine] = [8, 4, 16];
/** Where storage is so far that each brings little, whatever the line, so many are tried at first. */
export const firstVeryFar = 32;
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
 * A small file takes one way there and back, its first on a new connection three: TCP's handshake, TLS's and
 * its own; and it takes as long again until there is a window without such.
 */
const tripsUntilJudged = 6;
const fallOnErrors = 0.5;
/** Parts of another size are another kind of work: what was learned before does not hold. */
const otherKind = 4;
/** The network may have changed: after so many windows without growth it is tried again. */
const patience = 20;

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
  readonly failures: number;
  /** That left, of parts whose first bytes have left long since. */
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

export interface Concurrency {
  readonly limit: number;
  /** Nothing has held it up yet. */
  readonly doubling: boolean;
  /** The limit was raised and has yet to show that this brings something. */
  readonly trial: boolean;
  /** There and back takes its time. */
  readonly far: boolean;
  /** Something had to be sent again. */
  readonly failed: boolean;
  /** Parts take so long that what leaves is looked at, not what ends. Only of a far line. */
  readonly longLine: boolean;
  readonly since: Since;
  /** The best window with this kind of parts. */
  readonly best: Measure | null;
  /** Windows since then. */
  readonly stale: number;
  readonly window: Window;
}

/** How one part ended. */
interface PartEnd {
  readonly at: number;
  readonly bytes: number;
  readonly ms: number;
  /** Of them, since its first bytes left. */
  readonly wireMs: number;
  /** There and back takes its time. */
  readonly far: boolean;
  /** As many parts were in flight as were allowed, and more waited. */
  readonly full: boolean;
}

/** Bytes of a part that left. */
interface Movement {
  readonly at: number;
  readonly bytes: number;
  /** As of `PartEnd`. */
  readonly full: boolean;
}

export function startConcurrency(at: number): Concurrency {
  return {
    limit: firstInFlight,
    doubling: true,
    trial: false,
    far: false,
    failed: false,
    longLine: false,
    since: nothingSince(at),
    best: null,
    stale: 0,
    window: emptyWindow(at),
  };
}

/**
 * How many files may be in flight that leave in one writing. They are gone so soon that the threads would run
 * out of them whenever the main thread writes to the journal: as long as nothing has failed, there are some
 * at hand.
 */
export function limitOfSmall({ limit, failed }: Concurrency): number {
  return failed ? limit : Math.max(limit, maxNear);
}

/**
 * Storage is so far that a connection carries little: many are worth a trial before a first part has shown
 * how long it takes. Changes nothing once something was learned.
 */
export function beginFar(state: Concurrency): Concurrency {
  if (!state.doubling || state.best || state.limit >= firstVeryFar) return state;
  return { ...state, far: true, longLine: true, limit: firstVeryFar };
}

/** Storage confirmed a part. */
export function partArrived(before: Concurrency, end: PartEnd): Concurrency {
  const state = ofTheLine(before, end);
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

/** What a part that ended says of the line: one that was quick comes over no long one. */
function ofTheLine(before: Concurrency, { at, ms, wireMs, bytes, far }: PartEnd): Concurrency {
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

/**
 * Bytes of a part left that has been under way for a while already: what left before may only have gone into
 * the system's buffers. Says something of a long line alone.
 */
export function bytesMoved(state: Concurrency, { at, bytes, full }: Movement): Concurrency {
  if (!state.longLine) return state;
  const { window } = state;
  return judge(
    {
      ...state,
      window: { ...window, moved: window.moved + bytes, full: window.full || full },
    },
    at,
  );
}

/**
 * A part has to be sent again because storage or the network could not take it. However many fail together,
 * the limit falls once.
 */
export function partFailed(state: Concurrency, at: number): Concurrency {
  if (state.window.failures > 0) return judge(state, at);
  return {
    ...state,
    failed: true,
    limit: Math.max(minInFlight, Math.floor(state.limit * fallOnErrors)),
    doubling: false,
    trial: false,
    best: null,
    stale: 0,
    since: nothingSince(at),
    window: { ...emptyWindow(at), failures: 1 },
  };
}

/** What was found of a long line says nothing of another. */
function onFastLine(state: Concurrency): Concurrency {
  return { ...state, longLine: false, trial: false, best: null, stale: 0 };
}

/** It was taken for a far one because its first connections were slow to come about. */
function onNearLine(state: Concurrency): Concurrency {
  const near = { ...state, far: false, limit: Math.min(maxNear, state.limit) };
  return near.longLine ? onFastLine(near) : near;
}

function judge(state: Concurrency, at: number): Concurrency {
  const age = at - state.window.from;
  // A clock that was set back starts afresh.
  if (age < 0) return { ...state, window: emptyWindow(at) };
  return state.longLine ? judgeLong(state, age, at) : judgeParts(state, age, at);
}

function judgeParts(state: Concurrency, age: number, at: number): Concurrency {
  const { window, best, since } = state;
  if (age < shortestWindowMs || (window.parts < state.limit && age < longestWindowMs)) return state;
  const next = { ...state, window: emptyWindow(at) };
  if (window.parts === 0 || !window.full || window.failures > 0) return next;
  const now = measure(window, age, state.limit);
  if (!best) return grown(next, now, at);
  if (isOtherKind(best, now)) return grown({ ...next, doubling: true }, now, at);
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
  if (!window.full || window.failures > 0) return next;
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
  return { from, parts: 0, bytes: 0, ms: 0, failures: 0, moved: 0, full: false };
}

function nothingSince(at: number): Since {
  return { at, parts: 0, bytes: 0 };
}
