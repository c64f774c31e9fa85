import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginFar,
  bytesMoved,
  type Concurrency,
  limitOfSmall,
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

  it('are 32 where they are small files, until something fails: then as many as other parts', () => {
    const { state } = begin();
    expect([state.limit, limitOfSmall(state)]).toEqual([4, 32]);
    const failed = partFailed(state, 1_000);
    expect([failed.limit, limitOfSmall(failed)]).toEqual([2, 2]);
    const wide = run(begin(), { width: 1_000, latency: 300 }, 3_000).state;
    expect(limitOfSmall(wide)).toBe(maxInFlight);
  });

  it('halve once however many parts fail together, and recover', () => {
    const course = run(begin(), { width: 1_000, latency: 300 }, 3_000);
    let { state } = course;
    for (let failed = 0; failed < 20; failed += 1) state = partFailed(state, course.at);
    expect(state.limit).toBe(maxInFlight / 2);
    expect(run({ state, at: course.at }, { width: 1_000, latency: 300 }, 20_000).state.limit).toBe(
      maxInFlight,
    );
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
            kind: fc.constantFrom('failed', 'arrived', 'moved', 'far'),
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
            const before = state.limit;
            if (kind === 'failed') state = partFailed(state, end.at);
            else if (kind === 'far') state = beginFar(state);
            else state = kind === 'arrived' ? partArrived(state, end) : bytesMoved(state, end);
            expect(Number.isInteger(state.limit)).toBe(true);
            expect(state.limit).toBeGreaterThanOrEqual(minInFlight);
            expect(state.limit).toBeLessThanOrEqual(maxInFlight);
            if (kind === 'failed') expect(state.limit).toBeLessThanOrEqual(before);
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

  it('are many from the beginning where storage is very far, until something was learned', () => {
    const far = beginFar(startConcurrency(0));
    expect(far).toMatchObject({ limit: 32, longLine: true });
    expect(beginFar(far)).toBe(far);
    const failed = partFailed(startConcurrency(0), 10);
    expect(beginFar(failed)).toBe(failed);
    const learned = run(begin(), { width: 4, latency: 300 }, 40).state;
    expect(beginFar(learned)).toBe(learned);
  });

  it('climb from many by what leaves, before the first part has ended', () => {
    const start = { state: beginFar(startConcurrency(0)), at: 0 };
    expect(runLong(start, { each: 6.7e6, rate: 1e12 }, 2_000).state.limit).toBe(maxInFlight);
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

  it('halve when parts fail, and grow again', () => {
    const line = { each: 6.7e6, rate: 1e12 };
    const long = runLong(beginLong(), line, 10_000);
    const failed = { ...long, state: partFailed(long.state, long.at) };
    expect(failed.state.limit).toBe(maxInFlight / 2);
    expect(runLong(failed, line, 60_000).state.limit).toBe(maxInFlight);
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
  let state = beginFar(startConcurrency(0));
  let [now, sent, lineFree, free] = [0, 0, 0, 32];
  const underWay: { readonly began: number; readonly at: number }[] = [];
  while (sent < files || underWay.length > 0) {
    for (; sent < files && underWay.length < limitOfSmall(state); sent++) {
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
