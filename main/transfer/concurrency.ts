/**
 * How many parts may be in flight: grows while throughput grows, falls on errors or when parts take much
 * longer for nothing (additive increase, multiplicative decrease). Pure; times are ms.
 */

export const minInFlight = 2;
export const maxInFlight = 32;

const firstInFlight = 4;
/** A window is judged once it is this old and has seen as many parts end as may be in flight. */
const shortestWindowMs = 150;
/** On a slow network parts take long: then this is enough. */
const longestWindowMs = 5_000;
/** What more parts must bring, as a share of what they bring on an unsaturated network; the rest is noise. */
const worth = 0.3;
/** Parts that take this much longer without growth stand in a queue. */
const queueing = 2;
const fall = 0.75;
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
  /** There was more to send than was let go. */
  readonly full: boolean;
}

export interface Concurrency {
  readonly limit: number;
  /** Nothing has held it up yet. */
  readonly doubling: boolean;
  /** The limit was raised and has yet to show that this brings something. */
  readonly trial: boolean;
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
  /** As many parts were in flight as were allowed, and more waited. */
  readonly full: boolean;
}

export function startConcurrency(at: number): Concurrency {
  return {
    limit: firstInFlight,
    doubling: true,
    trial: false,
    best: null,
    stale: 0,
    window: emptyWindow(at),
  };
}

/** Storage confirmed a part. */
export function partArrived(state: Concurrency, end: PartEnd): Concurrency {
  const { window } = state;
  return judge(
    {
      ...state,
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

/**
 * A part has to be sent again because storage or the network could not take it. However many fail together,
 * the limit falls once.
 */
export function partFailed(state: Concurrency, at: number): Concurrency {
  if (state.window.failures > 0) return judge(state, at);
  return {
    limit: Math.max(minInFlight, Math.floor(state.limit * fallOnErrors)),
    doubling: false,
    trial: false,
    best: null,
    stale: 0,
    window: { ...emptyWindow(at), failures: 1 },
  };
}

function judge(state: Concurrency, at: number): Concurrency {
  const { window, best } = state;
  const age = at - window.from;
  // A clock that was set back starts afresh.
  if (age < 0) return { ...state, window: emptyWindow(at) };
  if (age < shortestWindowMs || (window.parts < state.limit && age < longestWindowMs)) return state;
  const next = { ...state, window: emptyWindow(at) };
  if (window.parts === 0 || !window.full || window.failures > 0) return next;
  const now = measure(window, age, state.limit);
  if (!best) return grown(next, now);
  if (isOtherKind(best, now)) return grown({ ...next, doubling: true }, now);
  if (state.trial) {
    if (now.rate > best.rate * neededGain(best.limit, state.limit)) return grown(next, now);
    return { ...next, doubling: false, trial: false, limit: best.limit };
  }
  if (now.latency >= best.latency * queueing && now.rate <= best.rate) {
    // From here on what is seen now counts: a network that became slower does not push the limit down to its
    // end.
    const limit = Math.max(minInFlight, Math.floor(state.limit * fall));
    return { ...next, best: { ...now, limit }, stale: 0, limit };
  }
  return state.stale < patience ? { ...next, stale: state.stale + 1 } : grown(next, now);
}

/** More parts, on trial. */
function grown(state: Concurrency, best: Measure): Concurrency {
  const limit = Math.min(maxInFlight, state.doubling ? state.limit * 2 : state.limit + 1);
  return { ...state, limit, best, trial: limit > state.limit, stale: 0 };
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
  return { from, parts: 0, bytes: 0, ms: 0, failures: 0, full: false };
}
