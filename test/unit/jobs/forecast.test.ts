import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecast, mustBeConfirmed, tellsSpeed } from '../../../main/jobs/forecast.ts';
import { SpeedMeter } from '../../../main/jobs/speed-meter.ts';

const hour = 3_600_000;

describe('the forecast', () => {
  it('is unknown while no upload has shown how fast the line is', () => {
    expect(forecast(1e9, [], hour)).toBeNull();
    expect(mustBeConfirmed(null)).toBe(false);
  });

  it('holds bytes over the speed of the last uploads against the credential life', () => {
    const speeds = [
      { bytes: 10e6, ms: 1000 },
      { bytes: 50e6, ms: 1000 },
    ];
    expect(forecast(54e9, speeds, hour)).toEqual({
      seconds: 1800,
      bytesPerSecond: 30e6,
      shareOfLife: 0.5,
    });
  });

  it('counts no faster than the limit that is set', () => {
    expect(forecast(30e6, [{ bytes: 30e6, ms: 1000 }], hour, 1e6)?.seconds).toBe(30);
    expect(forecast(30e6, [{ bytes: 30e6, ms: 1000 }], hour, 1e9)?.seconds).toBe(1);
  });

  it('asks exactly where the time is longer than the life', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1e9 }), (bytes, perSecond) => {
        const told = forecast(bytes, [{ bytes: perSecond, ms: 1000 }], hour);
        expect(mustBeConfirmed(told)).toBe((told?.seconds ?? 0) * 1000 > hour);
      }),
    );
  });

  it('learns nothing from a few bytes', () => {
    expect(tellsSpeed({ bytes: 500, ms: 1000 })).toBe(false);
    expect(tellsSpeed({ bytes: 1e9, ms: 10 })).toBe(false);
    expect(tellsSpeed({ bytes: 8e6, ms: 500 })).toBe(true);
  });
});

describe('the speed of a stretch', () => {
  it('leaves a sleep out', () => {
    const meter = new SpeedMeter(0);
    meter.add(1000, 10);
    meter.add(8 * hour, 10);
    meter.add(8 * hour + 1000, 30);
    expect(meter.speed).toEqual({ bytes: 30, ms: 7000 });
  });

  it('is not confused by a clock that was set back or a part that has to be sent again', () => {
    const meter = new SpeedMeter(5000);
    meter.add(6000, 20);
    meter.add(1000, 10);
    meter.add(2000, 30);
    expect(meter.speed).toEqual({ bytes: 30, ms: 2000 });
  });
});
