import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addSample,
  learn,
  maxPauseMs,
  pauseAfterEnd,
  pauseBefore,
  type Sample,
  type SeenPause,
  settleTime,
} from '../../../../main/watch/settle/settling.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const defaultMs = 10_000;

const samplesAt = (...times: readonly number[]): readonly Sample[] =>
  times.reduce<readonly Sample[]>(
    (before, at) => addSample(before, at, { digest: 'a', dataDigest: 'a' }),
    [],
  );

describe('settleTime()', () => {
  it('returns the default without a pause longer than a third of it', () => {
    const usual = { defaultMs, ms: defaultMs, pauseMs: null };
    expect(settleTime(defaultMs, null, 0)).toEqual(usual);
    expect(settleTime(defaultMs, { ms: 3_000, at: 0 }, 0)).toEqual(usual);
  });

  it('returns three times the longest pause, between the default and 30 minutes', () => {
    expect(settleTime(defaultMs, { ms: 15_000, at: 0 }, 0)).toEqual({
      defaultMs,
      ms: 45_000,
      pauseMs: 15_000,
    });
    const seen = fc.record({ ms: fc.double({ min: 0, noNaN: true }), at: fc.nat() });
    fc.assert(
      fc.property(fc.nat(90_000_000), seen, fc.nat(), (usual, pause, now) => {
        const { ms } = settleTime(usual, pause, now);
        expect(ms).toBeGreaterThanOrEqual(usual);
        expect(ms).toBeLessThanOrEqual(Math.max(usual, 30 * minute));
      }),
    );
  });

  it('returns the default again after thirty days without such a pause', () => {
    const seen = { ms: minute, at: 0 };
    expect(settleTime(defaultMs, seen, 29 * day).pauseMs).toBe(minute);
    expect(settleTime(defaultMs, seen, 30 * day).pauseMs).toBeNull();
  });
});

describe('pauseBefore()', () => {
  it('adds half of the surrounding intervals to the time between equal samples', () => {
    expect(pauseBefore(samplesAt(0, 3_000, 6_000), 9_000)).toBe(7_500);
    expect(pauseBefore(samplesAt(0, 3_000, 6_000), 6_000)).toBe(6_000);
  });

  it('finds no pause in a single sample or in the sleep of the computer', () => {
    expect(pauseBefore(samplesAt(0), 9_000)).toBeNull();
    expect(pauseBefore(samplesAt(0, 3_000), 8 * 60 * minute)).toBe(4_500);
  });

  it('ignores pauses longer than ten minutes', () => {
    expect(pauseBefore(samplesAt(0, maxPauseMs + 1), maxPauseMs + 2)).toBeNull();
  });

  it('measures a pause to within 1.5 sampling intervals', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 60_000 }),
        fc.integer({ min: 2, max: 9 }),
        fc.nat(99),
        (between, sampleCount, part) => {
          // The pause begins after the sample before the first and ends before the one that differs.
          const times = Array.from({ length: sampleCount }, (_, index) => index * between);
          const [shortest, longest] = [(sampleCount - 1) * between, (sampleCount + 1) * between];
          const real = shortest + ((longest - shortest) * part) / 99;
          const seen = pauseBefore(samplesAt(...times), sampleCount * between) ?? real;
          expect(Math.abs(seen - real)).toBeLessThanOrEqual(1.5 * between);
        },
      ),
    );
  });

  it('pauseAfterEnd() counts growth within two minutes after a source is taken', () => {
    const taken = { bytes: 100, newestMs: 1_000_000, movedTo: null };
    /** The only file was continued. */
    const later = (ms: number, bytes = 200) => {
      const newestMs = taken.newestMs + ms;
      return pauseAfterEnd({ ...taken, files: 1 }, { bytes, newestMs, files: [{ mtimeMs: newestMs }] });
    };
    expect(later(90_000)).toBe(90_000);
    expect(later(2 * minute + 1)).toBeNull();
    expect(later(90_000, 100)).toBeNull();
    expect(later(-1)).toBeNull();
  });

  it('pauseAfterEnd() ignores a second delivery under the same name', () => {
    const taken = { bytes: 100, newestMs: 1_000_000, files: 2, movedTo: null };
    const laterMs = taken.newestMs + 30_000;
    const grown = { bytes: 150, newestMs: laterMs };
    const [previous, later] = [{ mtimeMs: taken.newestMs }, { mtimeMs: laterMs }];
    expect(pauseAfterEnd(taken, { ...grown, files: [previous, previous, later] })).toBe(30_000);
    expect(pauseAfterEnd(taken, { ...grown, files: [later, later, later] })).toBeNull();
    expect(
      pauseAfterEnd({ ...taken, movedTo: '/done' }, { ...grown, files: [previous, previous, later] }),
    ).toBeNull();
  });
});

describe('learn()', () => {
  const seen: SeenPause = { ms: minute, at: 0 };

  it('remembers the longest pause and renews it when a similar one recurs', () => {
    expect(learn(null, 5_000, 7)).toEqual({ ms: 5_000, at: 7 });
    expect(learn(seen, 2 * minute, 7)).toEqual({ ms: 2 * minute, at: 7 });
    expect(learn(seen, 5_000, 7)).toBeNull();
    expect(learn(seen, 40_000, 2 * day)).toEqual({ ms: minute, at: 2 * day });
    expect(learn(seen, 40_000, 7)).toBeNull();
    expect(learn(seen, 5_000, 31 * day)).toEqual({ ms: 5_000, at: 31 * day });
  });

  it('keeps the pause bounded for a source that never rests', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 120_000 }),
        fc.array(fc.nat(3_000), { minLength: 20 }),
        (writesEvery, late) => {
          let kept: SeenPause | null = null;
          let samples: readonly Sample[] = [];
          let at = 0;
          for (const delay of late) {
            const { ms } = settleTime(defaultMs, kept, at);
            at += Math.max(defaultMs / 3, ms / 9) + delay;
            const digest = String(Math.floor(at / writesEvery));
            const ended = samples[0] && samples[0].digest !== digest ? pauseBefore(samples, at) : null;
            if (ended !== null) kept = learn(kept, ended, at) ?? kept;
            samples = addSample(samples, at, { digest, dataDigest: digest });
          }
          // Equal samples span less than the pause; half an interval is added.
          expect(kept?.ms ?? 0).toBeLessThanOrEqual(1.5 * writesEvery + 6_000);
        },
      ),
    );
  });
});
