import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addSample,
  judgeSettling,
  type Sample,
  type Settling,
} from '../../../../main/watch/settle/settling.ts';

const settleMs = 9_000;
const calm = { settleMs, suspicious: false };

/** Of a look at which the data changed as the letter says. */
const digests = (digest: string) => ({ digest, dataDigest: digest });

const judge = (samples: readonly (readonly [at: number, digest: string])[], options = calm): Settling =>
  judgeSettling(
    samples.reduce<readonly Sample[]>((before, [at, digest]) => addSample(before, at, digests(digest)), []),
    options,
  );

describe('a source', () => {
  it('has settled when equal samples span the settle time', () => {
    expect(
      judge([
        [0, 'a'],
        [3_000, 'a'],
        [6_000, 'a'],
      ]),
    ).toEqual({
      settled: false,
      nextSampleAt: 9_000,
      quietSinceAt: 0,
    });
    expect(
      judge([
        [0, 'a'],
        [3_000, 'a'],
        [6_000, 'a'],
        [9_000, 'a'],
      ]),
    ).toEqual({ settled: true });
  });

  it('starts again with every change, also with one that is taken back', () => {
    expect(
      judge([
        [0, 'a'],
        [3_000, 'a'],
        [6_000, 'b'],
        [9_000, 'a'],
      ]),
    ).toEqual({
      settled: false,
      nextSampleAt: 12_000,
      quietSinceAt: 9_000,
    });
  });

  it('is delayed for a minute by changes of permissions alone, and no longer', () => {
    const setEach20s = Array.from({ length: 13 }, (_, index) => index * 10_000);
    const samples = setEach20s.reduce<readonly Sample[]>(
      (before, at) => addSample(before, at, { digest: `set ${Math.floor(at / 20_000)}`, dataDigest: 'a' }),
      [],
    );
    const until = (end: number) =>
      judgeSettling(
        samples.filter(({ sampledAt }) => sampledAt <= end),
        { ...calm, settleMs: 30_000 },
      );
    expect(samples[0]).toMatchObject({ sampledAt: 40_000, sameDataSinceAt: 0 });
    expect(until(60_000).settled).toBe(false);
    expect(until(70_000).settled).toBe(true);
  });

  it('starts again with data that changes after its permissions did', () => {
    const looks = [0, 20_000, 40_000, 60_000, 80_000];
    const samples = looks.reduce<readonly Sample[]>(
      (before, at) => addSample(before, at, { digest: `${at}`, dataDigest: 'a' }),
      [],
    );
    expect(addSample(samples, 90_000, digests('b'))).toHaveLength(1);
  });

  it('is not settled by two samples, however far apart they are, nor by many at once', () => {
    expect(
      judge([
        [0, 'a'],
        [3_600_000, 'a'],
      ]),
    ).toMatchObject({ settled: false, nextSampleAt: 3_603_000 });
    expect(
      judge([
        [0, 'a'],
        [1, 'a'],
        [2, 'a'],
        [9_000, 'a'],
        [9_001, 'a'],
      ]),
    ).toMatchObject({ settled: false });
    expect(
      judge([
        [0, 'a'],
        [3_600_000, 'a'],
        [3_603_000, 'a'],
      ]),
    ).toEqual({ settled: true });
  });

  it('takes six times as long when it is suspicious', () => {
    const looks = [0, 18_000, 36_000, 54_000].map((at) => [at, 'a'] as const);
    expect(judge(looks.slice(0, 3), { settleMs, suspicious: true })).toMatchObject({
      settled: false,
      nextSampleAt: 54_000,
    });
    expect(judge(looks, { settleMs, suspicious: true })).toEqual({ settled: true });
  });

  it('without a sample wants one at once', () => {
    const judged = judge([]);
    expect(!judged.settled && judged.nextSampleAt <= 0).toBe(true);
  });

  it('starts again when the clock goes back', () => {
    expect(
      judge([
        [9_000, 'a'],
        [12_000, 'a'],
        [0, 'a'],
      ]),
    ).toMatchObject({ quietSinceAt: 0 });
  });
});

describe('whatever is seen', () => {
  const looks = fc.array(fc.tuple(fc.nat(8_000), fc.constantFrom('a', 'a', 'a', 'b')), { maxLength: 200 });

  it('settled means: three equal samples or more over the settle time, and nothing else in between', () => {
    fc.assert(
      fc.property(looks, fc.boolean(), (steps, suspicious) => {
        let sampledAt = 0;
        const seen: Sample[] = [];
        let samples: readonly Sample[] = [];
        for (const [step, digest] of steps) {
          sampledAt += step;
          seen.push({ sampledAt, ...digests(digest), sameDataSinceAt: sampledAt });
          samples = addSample(samples, sampledAt, digests(digest));
          const judged = judgeSettling(samples, { settleMs, suspicious });
          const other = seen.findLastIndex((sample) => sample.digest !== digest);
          const equal = seen.slice(other + 1);
          if (judged.settled) {
            expect(equal.length).toBeGreaterThanOrEqual(3);
            expect(sampledAt - (equal[0]?.sampledAt ?? sampledAt)).toBeGreaterThanOrEqual(
              settleMs * (suspicious ? 6 : 1),
            );
          } else expect(judged.quietSinceAt).toBe(equal[0]?.sampledAt);
        }
      }),
    );
  });

  it('looking when it asks to, without a change, settles it in the settle time to 3 ms', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.nat(1_000_000),
        fc.boolean(),
        (ms, start, suspicious) => {
          let samples = addSample([], start, digests('a'));
          let at = start;
          for (let looked = 1; looked < 10; looked++) {
            const judged = judgeSettling(samples, { settleMs: ms, suspicious });
            if (judged.settled) break;
            at = judged.nextSampleAt;
            samples = addSample(samples, at, digests('a'));
          }
          expect(judgeSettling(samples, { settleMs: ms, suspicious })).toEqual({ settled: true });
          const longest = ms * (suspicious ? 6 : 1);
          expect(at - start).toBeGreaterThanOrEqual(longest);
          expect(at - start).toBeLessThanOrEqual(longest + 3);
        },
      ),
    );
  });
});
