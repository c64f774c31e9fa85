import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Concurrency, maxInFlight, minInFlight } from '../../../main/transfer/concurrency.ts';

const mebibyte = 1024 * 1024;

interface Line {
  /** Parts in flight that fill the line. */
  readonly width: number;
  /** Time of a part on a free line, ms. */
  readonly latency: number;
}

interface Course {
  readonly concurrency: Concurrency;
  readonly at: number;
}

/** Sends parts over an ideal line: beyond its width they queue. */
function run(course: Course, { width, latency }: Line, parts: number, bytes = 8 * mebibyte): Course {
  const { concurrency } = course;
  let { at } = course;
  for (let part = 0; part < parts; part += 1) {
    const limit = concurrency.limitFor(bytes);
    const usedWidth = Math.min(limit, width);
    at += latency / usedWidth;
    const ms = (latency * limit) / usedWidth;
    concurrency.partArrived({ at, bytes, ms, wireMs: ms, isFar: true, isFull: true });
  }
  return { concurrency, at };
}

const small = 65_536;

const beginCourse = (): Course => ({ concurrency: new Concurrency(0), at: 0 });
const limitOf = ({ concurrency }: Course, size = 8 * mebibyte) => concurrency.limitFor(size);

it('Concurrency.limitFor(): starts with 4 parts or 32 small files', () => {
  expect([limitOf(beginCourse()), limitOf(beginCourse(), small)]).toEqual([4, 32]);
});

it('Concurrency.limitFor() doubles while throughput grows', () => {
  expect(limitOf(run(beginCourse(), { width: 1_000, latency: 300 }, 3_000))).toBe(maxInFlight);
});

it('Concurrency.limitFor(): returns from a doubling without effect', () => {
  expect(limitOf(run(beginCourse(), { width: 4, latency: 300 }, 40))).toBe(4);
});

it.each([3, 6, 12, 20])('Concurrency.limitFor(): settles near %i on a line that takes no more', (width) => {
  const limit = limitOf(run(beginCourse(), { width, latency: 300 }, 5_000));
  expect(limit).toBeGreaterThanOrEqual(Math.min(width, 4));
  expect(limit).toBeLessThanOrEqual(width * 2 + 1);
});

it('Concurrency.limitFor(): probes one more occasionally and detects a wider line', () => {
  const narrow = run(beginCourse(), { width: 6, latency: 300 }, 2_000);
  const previous = limitOf(narrow);
  expect(limitOf(run(narrow, { width: 1_000, latency: 300 }, 5_000))).toBeGreaterThan(2 * previous);
});

it('Concurrency.limitFor(): falls when parts take much longer without effect', () => {
  const wideCourse = run(beginCourse(), { width: 20, latency: 300 }, 3_000);
  const limitBefore = limitOf(wideCourse);
  expect(limitOf(run(wideCourse, { width: 4, latency: 300 }, 300))).toBeLessThan(limitBefore);
});

it('Concurrency.limitFor(): doubles again for parts of another size', () => {
  const large = run(beginCourse(), { width: 4, latency: 300 }, 400);
  expect(limitOf(run(large, { width: 1_000, latency: 10 }, 3_000, small), small)).toBe(maxInFlight);
});

it('Concurrency.limitFor() does not grow without enough to send', () => {
  const { concurrency } = beginCourse();
  for (let at = 0; at < 60_000; at += 100)
    concurrency.partArrived({ at, bytes: mebibyte, ms: 100, wireMs: 100, isFar: false, isFull: false });
  expect(concurrency.limitFor(mebibyte)).toBe(4);
});

it('Concurrency.limitFor(): stays between 2 and 64 for any measurements and clock jumps', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          kind: fc.constantFrom('failed', 'arrived', 'moved'),
          at: fc.integer({ min: -10_000, max: 100_000 }),
          bytes: fc.nat({ max: 2 ** 33 }),
          ms: fc.nat({ max: 100_000 }),
          wireMs: fc.nat({ max: 100_000 }),
          isFar: fc.boolean(),
          isFull: fc.boolean(),
        }),
        { maxLength: 300 },
      ),
      (partEnds) => {
        const { concurrency } = beginCourse();
        for (const { kind, ...end } of partEnds) {
          if (kind === 'failed') concurrency.partFailed(end);
          else if (kind === 'arrived') concurrency.partArrived(end);
          else concurrency.bytesMoved(end);
          for (const size of [small, 8 * mebibyte]) {
            const limit = concurrency.limitFor(size);
            expect(Number.isInteger(limit)).toBe(true);
            expect(limit).toBeGreaterThanOrEqual(minInFlight);
            expect(limit).toBeLessThanOrEqual(maxInFlight);
          }
        }
      },
    ),
  );
});

/** A line on which a part takes seconds: limits per connection and in total, bytes/s. */
interface LongLine {
  readonly each: number;
  readonly rate: number;
}

const tellMs = 100;

/** Reports sent bytes ten times a second, without the first bytes of the latest parts. */
function runLong(course: Course, { each: eachRate, rate }: LongLine, ms: number, isFull = true): Course {
  const { concurrency } = course;
  let { at } = course;
  let settledLimit = limitOf(course);
  const recentLimits: number[] = [];
  for (const end = at + ms; at < end; ) {
    at += tellMs;
    const movedBytes = Math.min(settledLimit * eachRate, rate * (settledLimit / limitOf(course)));
    concurrency.bytesMoved({ at, bytes: (movedBytes * tellMs) / 1000, isFull });
    recentLimits.push(limitOf(course));
    if (recentLimits.length > 2)
      settledLimit = Math.min(recentLimits.shift() ?? settledLimit, limitOf(course));
  }
  return { concurrency, at };
}

/** The first part went alone, at the pace of one connection. */
function beginLong(ms = 1_250): Course {
  const { concurrency } = beginCourse();
  concurrency.partArrived({ at: ms, bytes: 8 * mebibyte, ms, wireMs: ms, isFar: true, isFull: false });
  return { concurrency, at: ms };
}

/** Whether the first part of 8 MiB marks the line as long, and the limit. */
function lineAfter(
  part: { readonly ms: number; readonly wireMs: number; readonly isFar: boolean },
  course = beginCourse(),
) {
  const { concurrency, at } = course;
  concurrency.partArrived({ at: at + 3_000, bytes: 8 * mebibyte, isFull: true, ...part });
  return { isLongLine: concurrency.isLongLine, limit: limitOf(course) };
}

it('Concurrency.limitFor() on a long line: grows with sent bytes before a second part ends', () => {
  expect(limitOf(runLong(beginLong(), { each: 6.7e6, rate: 1e12 }, 4_000))).toBe(maxInFlight);
});

it('Concurrency.limitFor() on a long line: fills the line within seconds, with few extra parts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (width) => {
      const line = { each: 6.7e6, rate: width * 6.7e6 };
      const course = runLong(beginLong(), line, 5_000);
      expect(limitOf(course)).toBeGreaterThanOrEqual(Math.min(maxInFlight, width));
      const limit = limitOf(runLong(course, line, 60_000));
      expect(limit).toBeGreaterThanOrEqual(Math.min(maxInFlight, width));
      expect(limit).toBeLessThanOrEqual(Math.max(26, width * 2.4 + 2));
    }),
  );
});

it('Concurrency.limitFor() on a long line does not grow while fewer parts are sent than allowed', () => {
  const course = runLong(beginLong(), { each: 6.7e6, rate: 1e12 }, 60_000, false);
  expect(limitOf(course)).toBe(limitOf(beginLong()));
});

it('Concurrency.limitFor() on a long line: doubles for small files that fill it despite slow connection setup', () => {
  const { limit, ms } = sendSmall(1_000, { tripMs: 150, fileMs: 2.6 });
  expect(limit).toBe(64);
  // The line needs 2,600 ms, with half the files in flight 4,900.
  expect(ms).toBeLessThan(3_300);
});

it('Concurrency.limitFor() on a long line: stays at 32 small files when they fill the line', () => {
  expect(sendSmall(3_000, { tripMs: 150, fileMs: 20 }).limit).toBe(32);
});

it('Concurrency.limitFor() on a long line: follows finished parts again once they are quick', () => {
  const course = runLong(beginLong(), { each: 6.7e6, rate: 1e8 }, 10_000);
  expect(course.concurrency.isLongLine).toBe(true);
  run(course, { width: 1_000, latency: 100 }, 10);
  expect(course.concurrency.isLongLine).toBe(false);
  expect(limitOf(course)).toBeLessThanOrEqual(maxInFlight);
});

it('Concurrency.limitFor() on a long line: detects no long line when a busy machine delayed the first bytes', () => {
  expect(lineAfter({ ms: 3_000, wireMs: 100, isFar: true })).toEqual({ isLongLine: false, limit: 4 });
});

it('Concurrency.limitFor() on a long line: detects no long line when storage is near, however slow the parts', () => {
  expect(lineAfter({ ms: 3_000, wireMs: 3_000, isFar: false })).toEqual({ isLongLine: false, limit: 4 });
});

it('Concurrency.limitFor() on a long line: falls to 32 once a connection shows that storage is near', () => {
  const course = runLong(beginLong(), { each: 6.7e6, rate: 1e12 }, 10_000);
  const line = lineAfter({ ms: 3_000, wireMs: 3_000, isFar: false }, course);
  expect(line).toEqual({ isLongLine: false, limit: 32 });
});

/**
 * Sends small files one after the other, `fileMs` each, answered `tripMs` later. 32 connections exist; each
 * further one costs two trips.
 */
function sendSmall(files: number, { tripMs, fileMs }: { readonly tripMs: number; readonly fileMs: number }) {
  const { concurrency } = beginCourse();
  let [now, sentCount, lineFree, free] = [0, 0, 0, 32];
  const partsUnderWay: { readonly startedAt: number; readonly at: number }[] = [];
  while (sentCount < files || partsUnderWay.length > 0) {
    for (; sentCount < files && partsUnderWay.length < concurrency.limitFor(small); sentCount++) {
      const isNew = free === 0;
      if (!isNew) free--;
      lineFree = Math.max(lineFree, now + (isNew ? 2 * tripMs : 0)) + fileMs;
      partsUnderWay.push({ startedAt: now, at: lineFree + tripMs });
    }
    partsUnderWay.sort((a, b) => a.at - b.at);
    const isFull = sentCount < files;
    const { startedAt, at } = partsUnderWay.shift() ?? { startedAt: now, at: now };
    now = at;
    free++;
    const ms = at - startedAt;
    concurrency.partArrived({ at, bytes: small, ms, wireMs: tripMs, isFar: true, isFull });
  }
  return { limit: concurrency.limitFor(small), ms: now };
}

interface Store {
  /** Concurrent requests it accepts; further ones fail in proportion. */
  readonly takes: number;
  /** Share of the others that fails. */
  readonly fails: number;
}

/**
 * Sends small files of 10 ms up to the limit and returns the limit after each. Failures are spread evenly and
 * reproducibly.
 */
function sendTo({ takes, fails }: Store, endCount: number, { concurrency, at: startAt } = beginCourse()) {
  let at = startAt;
  let dueFailures = 0;
  const limits: number[] = [];
  for (let end = 0; end < endCount; end++) {
    const inFlight = concurrency.limitFor(small);
    at += 10 / inFlight;
    dueFailures += 1 - Math.min(1, takes / inFlight) * (1 - fails);
    const hasFailed = dueFailures >= 1;
    if (hasFailed) dueFailures -= 1;
    const triedPart = { at, ms: 10, bytes: small };
    if (hasFailed) concurrency.partFailed(triedPart);
    else concurrency.partArrived({ ...triedPart, wireMs: 1, isFar: false, isFull: true });
    limits.push(concurrency.limitFor(small));
  }
  return { concurrency, at, limits, least: Math.min(...limits), last: limits.at(-1) };
}

it.each([0.005, 0.01, 0.05, 0.1])(
  'Concurrency.limitFor() with failing requests: stays when a share of %d fails at any limit',
  (fails) => {
    expect(sendTo({ takes: 64, fails }, 3_000).least).toBe(32);
  },
);

it('Concurrency.limitFor() with failing requests: halves on trial and returns when the share of failures does not fall', () => {
  const { limits, last: lastLimit } = sendTo({ takes: 64, fails: 0.5 }, 3_000);
  expect(Math.min(...limits.slice(0, 100))).toBe(16);
  expect(limits.slice(200).filter((limit) => limit < 32).length).toBeLessThan(300);
  expect(lastLimit).toBe(32);
});

it('Concurrency.limitFor() with failing requests: falls when storage accepts fewer requests than it gets', () => {
  const { limits } = sendTo({ takes: 8, fails: 0 }, 3_000);
  const laterLimits = limits.slice(300).sort((a, b) => a - b);
  expect(laterLimits[Math.floor(laterLimits.length / 2)]).toBeLessThanOrEqual(16);
});

it('Concurrency.limitFor() with failing requests: falls when more requests fail than usual, and recovers with them', () => {
  const calmCourse = sendTo({ takes: 64, fails: 0.02 }, 1_000);
  const busy = sendTo({ takes: 4, fails: 0 }, 1_000, calmCourse);
  expect(busy.least).toBeLessThanOrEqual(8);
  expect(sendTo({ takes: 64, fails: 0 }, 300, busy).last).toBe(32);
});

it('Concurrency.limitFor() with failing requests: falls to 2 while storage refuses everything', () => {
  const downCourse = sendTo({ takes: 0, fails: 1 }, 300);
  expect(downCourse.last).toBe(minInFlight);
  expect(sendTo({ takes: 64, fails: 0 }, 300, downCourse).last).toBe(32);
});

it('Concurrency.limitFor() with failing requests: halves once when many parts fail together', () => {
  const course = run(beginCourse(), { width: 1_000, latency: 300 }, 3_000);
  for (let failedCount = 0; failedCount < 60; failedCount++)
    course.concurrency.partFailed({ at: course.at + failedCount / 100, ms: 300, bytes: 8 * mebibyte });
  expect(limitOf(course)).toBe(maxInFlight / 2);
  const laterCourse = { ...course, at: course.at + 1_000 };
  expect(limitOf(run(laterCourse, { width: 1_000, latency: 300 }, 20_000))).toBe(maxInFlight);
});
