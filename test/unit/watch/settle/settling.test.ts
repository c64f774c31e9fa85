import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addSample,
  nextSampleAt,
  type Sample,
  suspicionFactor,
} from '../../../../main/watch/settle/settling.ts';

const settleMs = 9_000;

/** Returns the digests of a sample whose data has this digest too. */
const digests = (digest: string) => ({ digest, dataDigest: digest });

const judge = (samples: readonly (readonly [at: number, digest: string])[], factor = 1) =>
  nextSampleAt(
    samples.reduce<readonly Sample[]>((before, [at, digest]) => addSample(before, at, digests(digest)), []),
    settleMs * factor,
  );

describe('nextSampleAt()', () => {
  it('settles a source when equal samples span the settle time', () => {
    expect(
      judge([
        [0, 'a'],
        [3_000, 'a'],
        [6_000, 'a'],
      ]),
    ).toBe(9_000);
    expect(
      judge([
        [0, 'a'],
        [3_000, 'a'],
        [6_000, 'a'],
        [9_000, 'a'],
      ]),
    ).toBeNull();
  });

  it('restarts the settle time on every change, even if it is reverted', () => {
    expect(
      judge([
        [0, 'a'],
        [3_000, 'a'],
        [6_000, 'b'],
        [9_000, 'a'],
      ]),
    ).toBe(12_000);
  });

  it('delays settling by at most a minute for changed permissions', () => {
    const setEach20s = Array.from({ length: 13 }, (_, index) => index * 10_000);
    const samples = setEach20s.reduce<readonly Sample[]>(
      (before, at) => addSample(before, at, { digest: `set ${Math.floor(at / 20_000)}`, dataDigest: 'a' }),
      [],
    );
    const until = (end: number) =>
      nextSampleAt(
        samples.filter(({ sampledAt }) => sampledAt <= end),
        30_000,
      );
    expect(samples[0]).toMatchObject({ sampledAt: 40_000, sameDataSinceAt: 0 });
    expect(until(60_000)).not.toBeNull();
    expect(until(70_000)).toBeNull();
  });

  it('restarts the settle time if data changes after permissions', () => {
    const sampleTimes = [0, 20_000, 40_000, 60_000, 80_000];
    const samples = sampleTimes.reduce<readonly Sample[]>(
      (before, at) => addSample(before, at, { digest: `${at}`, dataDigest: 'a' }),
      [],
    );
    expect(addSample(samples, 90_000, digests('b'))).toHaveLength(1);
  });

  it('settles a source only after three samples across the settle time', () => {
    expect(
      judge([
        [0, 'a'],
        [3_600_000, 'a'],
      ]),
    ).toBe(3_603_000);
    expect(
      judge([
        [0, 'a'],
        [1, 'a'],
        [2, 'a'],
        [9_000, 'a'],
        [9_001, 'a'],
      ]),
    ).not.toBeNull();
    expect(
      judge([
        [0, 'a'],
        [3_600_000, 'a'],
        [3_603_000, 'a'],
      ]),
    ).toBeNull();
  });

  it('waits six times as long for a suspicious source', () => {
    const sampleTimes = [0, 18_000, 36_000, 54_000].map((at) => [at, 'a'] as const);
    expect(judge(sampleTimes.slice(0, 3), suspicionFactor)).toBe(54_000);
    expect(judge(sampleTimes, suspicionFactor)).toBeNull();
  });

  it('requests a first sample at once', () => {
    expect(judge([])).toBeLessThanOrEqual(0);
  });

  it('restarts the settle time if the clock goes back', () => {
    expect(
      judge([
        [9_000, 'a'],
        [12_000, 'a'],
        [0, 'a'],
      ]),
    ).toBe(3_000);
  });
});

describe('nextSampleAt() for any samples', () => {
  const sampleTimes = fc.array(fc.tuple(fc.nat(8_000), fc.constantFrom('a', 'a', 'a', 'b')), {
    maxLength: 200,
  });

  it('settles a source only if three or more equal samples span the settle time', () => {
    fc.assert(
      fc.property(sampleTimes, fc.boolean(), (steps, suspicious) => {
        let sampledAt = 0;
        const seen: Sample[] = [];
        let samples: readonly Sample[] = [];
        for (const [step, digest] of steps) {
          sampledAt += step;
          seen.push({ sampledAt, ...digests(digest), sameDataSinceAt: sampledAt });
          samples = addSample(samples, sampledAt, digests(digest));
          const spanMs = settleMs * (suspicious ? suspicionFactor : 1);
          const other = seen.findLastIndex((sample) => sample.digest !== digest);
          const equal = seen.slice(other + 1);
          if (nextSampleAt(samples, spanMs) === null) {
            expect(equal.length).toBeGreaterThanOrEqual(3);
            expect(sampledAt - (equal[0]?.sampledAt ?? sampledAt)).toBeGreaterThanOrEqual(spanMs);
          } else expect(samples[0]?.sampledAt).toBe(equal[0]?.sampledAt);
        }
      }),
    );
  });

  it('settles an unchanged source within 3 ms of the settle time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.nat(1_000_000),
        fc.boolean(),
        (ms, start, suspicious) => {
          const longest = ms * (suspicious ? suspicionFactor : 1);
          let samples = addSample([], start, digests('a'));
          let at = start;
          for (let count = 1; count < 10; count++) {
            const nextAt = nextSampleAt(samples, longest);
            if (nextAt === null) break;
            at = nextAt;
            samples = addSample(samples, at, digests('a'));
          }
          expect(nextSampleAt(samples, longest)).toBeNull();
          expect(at - start).toBeGreaterThanOrEqual(longest);
          expect(at - start).toBeLessThanOrEqual(longest + 3);
        },
      ),
    );
  });
});
