import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytesMoved,
  type Concurrency,
  limitOf,
  maxInFlight,
  minInFlight,
  partArrived,
  partFailed,
  startConcurrency,
} from '../../../main/transfer/concurrency.ts';

const mebibyte = 1024 * 1024;

interface Line {
  /** Parts in flight that fill it. */
  readonly width: number;
  /** Time of a part while it is not full, ms. */
  readonly latency: number;
}

interface Course {
  state: Concurrency;
  at: number;
}

/** Parts of 8 MiB over an ideal line: up to its width they don't disturb each other, beyond it they queue. */
function run(course: Course, { width, latency }: Line, parts: number, bytes = 8 * mebibyte): Course {
  let { state, at } = course;
  for (let part = 0; part < parts; part += 1) {
    const used = Math.min(state.limit, width);
    at += latency / used;
    const ms = (latency * state.limit) / used;
    state = partArrived(state, { at, bytes, ms, wireMs: ms, far: true, full: true });
  }
  return { state, at };
}

const small = 65_536;

const begin = (): Course => ({ state: startConcurrency(0), at: 0 });

describe('parts in flight', () => {
  it('grow to what a wide line takes', () => {
    expect(run(begin(), { width: 1_000, latency: 300 }, 3_000).state.limit).toBe(maxInFlight);
  });

  it.each([3, 6, 12, 20])('settle near %i where the line takes no more', (width) => {
    const { state } = run(begin(), { width, latency: 300 }, 5_000);
    expect(state.limit).toBeGreaterThanOrEqual(Math.min(width, 4));
    expect(state.limit).toBeLessThanOrEqual(width * 2 + 1);
  });

  it('step back from a doubling that brings nothing', () => {
    const course = run(begin(), { width: 4, latency: 300 }, 40);
    expect(course.state).toMatchObject({ limit: 4, doubling: false, trial: false });
  });

  it('start with 4 parts, or with 32 small files', () => {
    const { state } = begin();
    expect([limitOf(state, 8 * mebibyte), limitOf(state, small)]).toEqual([4, 32]);
  });

  it('fall when parts take much longer and nothing more arrives', () => {
    const wide = run(begin(), { width: 20, latency: 300 }, 3_000);
    const narrow = run(wide, { width: 4, latency: 300 }, 300);
    expect(narrow.state.limit).toBeLessThan(wide.state.limit);
  });

  it('are found again for parts of another size', () => {
    const large = run(begin(), { width: 4, latency: 300 }, 400);
    const small = run(large, { width: 1_000, latency: 10 }, 3_000, 64 * 1024);
    expect(small.state.limit).toBe(maxInFlight);
  });

  it('do not grow while there is not enough to send', () => {
    let state = startConcurrency(0);
    for (let at = 0; at < 60_000; at += 100) {
      state = partArrived(state, { at, bytes: mebibyte, ms: 100, wireMs: 100, far: false, full: false });
    }
    expect(state.limit).toBe(startConcurrency(0).limit);
  });

  it('stay between 2 and 64 whatever happens, clocks that jump included', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            kind: fc.constantFrom('failed', 'arrived', 'moved'),
            at: fc.integer({ min: -10_000, max: 100_000 }),
            bytes: fc.nat({ max: 2 ** 33 }),
            ms: fc.nat({ max: 100_000 }),
            wireMs: fc.nat({ max: 100_000 }),
            far: fc.boolean(),
            full: fc.boolean(),
          }),
          { maxLength: 300 },
        ),
        (ends) => {
          let state = startConcurrency(0);
          for (const { kind, ...end } of ends) {
            if (kind === 'failed') state = partFailed(state, end);
            else state = kind === 'arrived' ? partArrived(state, end) : bytesMoved(state, end);
            for (const size of [small, 8 * mebibyte]) {
              const limit = limitOf(state, size);
              expect(Number.isInteger(limit)).toBe(true);
              expect(limit).toBeGreaterThanOrEqual(minInFlight);
              expect(limit).toBeLessThanOrEqual(maxInFlight);
            }
          }
        },
      ),
    );
  });
});

/**
 * A line on which a part takes seconds: each connection carries so much, and all together no more than
 * `rate`.
 */
interface LongLine {
  readonly each: number;
  readonly rate: number;
}

const tellMs = 100;

/** What leaves is told ten times a second; the first bytes of parts that were let go last don't count yet. */
function runLong(course: Course, { each, rate }: LongLine, ms: number, full = true): Course {
  let { state, at } = course;
  let settled = state.limit;
  const recent: number[] = [];
  for (const end = at + ms; at < end; ) {
    at += tellMs;
    const moved = Math.min(settled * each, rate * (settled / state.limit));
    state = bytesMoved(state, { at, bytes: (moved * tellMs) / 1000, full });
    recent.push(state.limit);
    if (recent.length > 2) settled = Math.min(recent.shift() ?? settled, state.limit);
  }
  return { state, at };
}

/** The first part went alone, at the pace of one connection. */
function beginLong(ms = 1_250): Course {
  const first = { at: ms, bytes: 8 * mebibyte, ms, wireMs: ms, far: true, full: false };
  return { state: partArrived(startConcurrency(0), first), at: ms };
}

describe('parts in flight on a long line', () => {
  it('climb by what leaves, before a second part has ended', () => {
    const { state } = runLong(beginLong(), { each: 6.7e6, rate: 1e12 }, 4_000);
    expect(state.limit).toBe(maxInFlight);
  });

  it('are enough to fill it within seconds, and not many more than that', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (width) => {
        const line = { each: 6.7e6, rate: width * 6.7e6 };
        const soon = runLong(beginLong(), line, 5_000);
        expect(soon.state.limit).toBeGreaterThanOrEqual(Math.min(maxInFlight, width));
        const later = runLong(soon, line, 60_000);
        expect(later.state.limit).toBeGreaterThanOrEqual(Math.min(maxInFlight, width));
        expect(later.state.limit).toBeLessThanOrEqual(Math.max(26, width * 2.4 + 2));
      }),
    );
  });

  it('do not grow while the line is not given all that may go', () => {
    const { state } = runLong(beginLong(), { each: 6.7e6, rate: 1e12 }, 60_000, false);
    expect(state.limit).toBe(beginLong().state.limit);
  });

  it('are twice as many small files where that fills the line, though new connections take their time', () => {
    const { limit, ms } = sendSmall(1_000, { tripMs: 150, fileMs: 2.6 });
    expect(limit).toBe(64);
    // The line itself takes 2,600, and half as many 4,900.
    expect(ms).toBeLessThan(3_300);
  });

  it('are no more small files than fill the line', () => {
    expect(sendSmall(3_000, { tripMs: 150, fileMs: 20 }).limit).toBe(32);
  });

  it('are judged by the parts that end again once these end soon', () => {
    const long = runLong(beginLong(), { each: 6.7e6, rate: 1e8 }, 10_000);
    expect(long.state.longLine).toBe(true);
    const fast = run(long, { width: 1_000, latency: 100 }, 10);
    expect(fast.state.longLine).toBe(false);
    expect(fast.state.limit).toBeLessThanOrEqual(maxInFlight);
  });

  it('are not taken for such because a busy machine took its time until the first bytes left', () => {
    const late = { at: 3_000, bytes: 8 * mebibyte, ms: 3_000, wireMs: 100, far: true, full: true };
    expect(partArrived(startConcurrency(0), late)).toMatchObject({ longLine: false, limit: 4 });
  });

  it('are not taken for such where storage is near, however slowly parts leave', () => {
    const slow = { at: 3_000, bytes: 8 * mebibyte, ms: 3_000, wireMs: 3_000, far: false, full: true };
    expect(partArrived(startConcurrency(0), slow)).toMatchObject({ longLine: false, limit: 4 });
  });

  it('are no more than on a near line once a connection has shown that it is one', () => {
    const long = runLong(beginLong(), { each: 6.7e6, rate: 1e12 }, 10_000);
    const near = { at: long.at, bytes: 8 * mebibyte, ms: 3_000, wireMs: 3_000, far: false, full: true };
    expect(partArrived(long.state, near)).toMatchObject({ longLine: false, limit: 32 });
  });
});

/**
 * Sends small files over a line that takes one after the other, `fileMs` each, and answers `tripMs` later. 32
 * connections are there already; each further one costs two trips.
 */
function sendSmall(files: number, { tripMs, fileMs }: { readonly tripMs: number; readonly fileMs: number }) {
  let state = startConcurrency(0);
  let [now, sent, lineFree, free] = [0, 0, 0, 32];
  const underWay: { readonly began: number; readonly at: number }[] = [];
  while (sent < files || underWay.length > 0) {
    for (; sent < files && underWay.length < limitOf(state, small); sent++) {
      const isNew = free === 0;
      if (!isNew) free--;
      lineFree = Math.max(lineFree, now + (isNew ? 2 * tripMs : 0)) + fileMs;
      underWay.push({ began: now, at: lineFree + tripMs });
    }
    underWay.sort((a, b) => a.at - b.at);
    const full = sent < files;
    const { began, at } = underWay.shift() ?? { began: now, at: now };
    now = at;
    free++;
    const ms = at - began;
    state = partArrived(state, { at, bytes: 65_536, ms, wireMs: tripMs, far: true, full });
  }
  return { limit: state.limit, ms: now };
}

interface Store {
  /** Requests that it takes at a time; more of them fail in proportion. */
  readonly takes: number;
  /** The share of all others that fails whatever is sent. */
  readonly fails: number;
}

/**
 * Sends small files, 10 ms each, with as many in flight as the limit allows, and gives the limit after each
 * end. Failures are spread evenly, so that a run is the same each time.
 */
function sendTo({ takes, fails }: Store, ends: number, start = startConcurrency(0), startAt = 0) {
  let state = start;
  let at = startAt;
  let due = 0;
  const limits: number[] = [];
  for (let end = 0; end < ends; end++) {
    const inFlight = limitOf(state, small);
    at += 10 / inFlight;
    due += 1 - Math.min(1, takes / inFlight) * (1 - fails);
    const hasFailed = due >= 1;
    if (hasFailed) due -= 1;
    const tried = { at, ms: 10, bytes: small };
    if (hasFailed) state = partFailed(state, tried);
    else state = partArrived(state, { ...tried, wireMs: 1, far: false, full: true });
    limits.push(limitOf(state, small));
  }
  return { state, at, limits, least: Math.min(...limits), last: limits.at(-1) };
}

describe('the limit when requests fail', () => {
  it.each([0.005, 0.01, 0.05, 0.1])('stays where a share of %d fails whatever the limit', (fails) => {
    expect(sendTo({ takes: 64, fails }, 3_000).least).toBe(32);
  });

  it('returns to where it was once fewer requests have not made fewer of them fail', () => {
    const { limits, last } = sendTo({ takes: 64, fails: 0.5 }, 3_000);
    expect(Math.min(...limits.slice(0, 100))).toBe(16);
    expect(limits.slice(200).filter((limit) => limit < 32).length).toBeLessThan(300);
    expect(last).toBe(32);
  });

  it('falls when storage takes fewer requests than it gets', () => {
    const { limits } = sendTo({ takes: 8, fails: 0 }, 3_000);
    const later = limits.slice(300).sort((a, b) => a - b);
    expect(later[Math.floor(later.length / 2)]).toBeLessThanOrEqual(16);
  });

  it('falls when the share of failures rises, and recovers when it falls again', () => {
    const calm = sendTo({ takes: 64, fails: 0.02 }, 1_000);
    const busy = sendTo({ takes: 4, fails: 0 }, 1_000, calm.state, calm.at);
    expect(busy.least).toBeLessThanOrEqual(8);
    expect(sendTo({ takes: 64, fails: 0 }, 300, busy.state, busy.at).last).toBe(32);
  });

  it('falls to 2 while storage refuses everything', () => {
    const down = sendTo({ takes: 0, fails: 1 }, 300);
    expect(down.last).toBe(minInFlight);
    expect(sendTo({ takes: 64, fails: 0 }, 300, down.state, down.at).last).toBe(32);
  });

  it('is halved once when many parts fail together', () => {
    const wide = run(begin(), { width: 1_000, latency: 300 }, 3_000);
    let { state } = wide;
    for (let failed = 0; failed < 60; failed++)
      state = partFailed(state, { at: wide.at + failed / 100, ms: 300, bytes: 8 * mebibyte });
    expect(limitOf(state, 8 * mebibyte)).toBe(maxInFlight / 2);
    const after = run({ state, at: wide.at + 1_000 }, { width: 1_000, latency: 300 }, 20_000);
    expect(limitOf(after.state, 8 * mebibyte)).toBe(maxInFlight);
  });
});
