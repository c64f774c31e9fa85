import { describe, expect, it } from 'vitest';
import { addSample, type RateSample, rateAt, secondsLeft } from '../../../main/transfer/rate.ts';

const steady = (from: number, to: number, perSecond: number) => {
  let samples: readonly RateSample[] = [];
  for (let at = from; at <= to; at += 100) {
    samples = addSample(samples, { at, bytes: ((at - from) / 1000) * perSecond });
  }
  return samples;
};

describe('rateAt', () => {
  it('tells the rate of a steady upload', () => {
    expect(rateAt(steady(0, 10_000, 5_000), 10_000)).toBeCloseTo(5_000, 0);
  });

  it('says nothing before there is something to tell', () => {
    expect(rateAt([], 0)).toBeNull();
    expect(rateAt(steady(0, 500, 5_000), 500)).toBeNull();
  });

  it('looks no further back than a minute', () => {
    const samples = addSample(steady(0, 120_000, 1_000), { at: 180_000, bytes: 120_000 + 60_000 * 9 });
    expect(rateAt(samples, 180_000)).toBeCloseTo(9_000, -2);
  });

  it('falls while nothing moves', () => {
    const samples = steady(0, 10_000, 5_000);
    expect(rateAt(samples, 20_000)).toBeCloseTo(2_500, 0);
    expect(rateAt(samples, 200_000)).toBe(0);
  });

  it('is never negative when parts have to be sent again', () => {
    const samples = addSample(steady(0, 2_000, 1_000), { at: 3_000, bytes: 0 });
    expect(rateAt(samples, 3_000)).toBe(0);
  });

  it('keeps few samples however often it is told', () => {
    expect(steady(0, 300_000, 1_000).length).toBeLessThan(150);
  });

  it('starts afresh when the clock was set back', () => {
    expect(addSample(steady(10_000, 20_000, 1_000), { at: 5_000, bytes: 11_000 })).toHaveLength(1);
  });
});

describe('secondsLeft', () => {
  it('divides, and says nothing of a standstill', () => {
    expect(secondsLeft(10_000, 500)).toBe(20);
    expect(secondsLeft(0, 500)).toBe(0);
    expect(secondsLeft(10_000, 0)).toBeNull();
    expect(secondsLeft(10_000, null)).toBeNull();
  });
});
