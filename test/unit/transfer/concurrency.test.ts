import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Concurrency,
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
    state = partArrived(state, { at, bytes, ms: (latency * state.limit) / used, full: true });
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
      state = partArrived(state, { at, bytes: mebibyte, ms: 100, full: false });
    }
    expect(state.limit).toBe(startConcurrency(0).limit);
  });

  it('stay between 2 and 32 whatever happens, clocks that jump included', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            failed: fc.boolean(),
            at: fc.integer({ min: -10_000, max: 100_000 }),
            bytes: fc.nat({ max: 2 ** 33 }),
            ms: fc.nat({ max: 100_000 }),
            full: fc.boolean(),
          }),
          { maxLength: 300 },
        ),
        (ends) => {
          let state = startConcurrency(0);
          for (const { failed, ...end } of ends) {
            const before = state.limit;
            state = failed ? partFailed(state, end.at) : partArrived(state, end);
            expect(Number.isInteger(state.limit)).toBe(true);
            expect(state.limit).toBeGreaterThanOrEqual(minInFlight);
            expect(state.limit).toBeLessThanOrEqual(maxInFlight);
            if (failed) expect(state.limit).toBeLessThanOrEqual(before);
          }
        },
      ),
    );
  });
});
