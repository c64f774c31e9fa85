import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecast, isWorthStoring, mustBeConfirmed, type Speed } from '../../../main/jobs/forecast.ts';
import { SpeedMeter } from '../../../main/jobs/speed-meter.ts';
import { secondsToSend } from '../../../main/transfer/bandwidth.ts';

const hour = 3_600_000;
const mebibyte = 1_048_576;
const largeFiles: Speed = { bytes: 10e9, files: 0, ms: 200_000 };
const smallFiles: Speed = { bytes: 500e6, files: 100_000, ms: 1_000_000 };
const million = { bytes: 1e9, files: 1_000_000 };
const large = { bytes: 20e9, files: 3 };

describe('forecast()', () => {
  it('forecast() returns null until an upload has measured the speed', () => {
    expect(forecast({ bytes: 1e9, files: 1 }, [], hour)).toBeNull();
    expect(mustBeConfirmed(null)).toBe(false);
  });

  it('forecast() compares bytes over the recent speed with the credential life', () => {
    const speeds = [
      { bytes: 10e6, files: 0, ms: 1000 },
      { bytes: 50e6, files: 0, ms: 1000 },
    ];
    expect(forecast({ bytes: 54e9, files: 10 }, speeds, hour)).toEqual({
      seconds: 1800,
      bytesPerSecond: 30e6,
      filesPerSecond: null,
      shareOfLife: 0.5,
    });
  });

  it('G13: returns the larger of bytes ÷ byte rate and files ÷ file rate', () => {
    const bothSpeeds = [smallFiles, largeFiles];
    expect(forecast(large, bothSpeeds, hour)).toMatchObject({ seconds: 400, filesPerSecond: null });
    expect(forecast(million, bothSpeeds, hour)).toMatchObject({
      seconds: 10_000,
      filesPerSecond: 100,
      bytesPerSecond: 1e5,
    });
  });

  it('forecast() forecasts nothing for large files after an upload of small ones', () => {
    expect(forecast(large, [smallFiles], hour)).toBeNull();
    expect(forecast({ bytes: 5e6, files: 1_000 }, [smallFiles], hour)?.seconds).toBe(10);
  });

  it('forecast() forecasts nothing for a million small files after an upload of large ones', () => {
    expect(forecast(million, [largeFiles], hour)).toBeNull();
    // Not so many that their number could matter, or each large enough.
    expect(forecast({ bytes: 20e9, files: 4_000 }, [largeFiles], hour)?.seconds).toBe(400);
    expect(forecast({ bytes: 10_000 * mebibyte, files: 10_000 }, [largeFiles], hour)?.seconds).toBeCloseTo(
      210,
      0,
    );
  });

  it('forecast() exceeds the credential life by either bytes or files alone', () => {
    expect(forecast({ bytes: 1e12, files: 1_000_000 }, [largeFiles], hour)?.shareOfLife).toBeGreaterThan(1);
    expect(forecast({ bytes: 1e12, files: 1_000_000 }, [smallFiles], hour)?.shareOfLife).toBeGreaterThan(1);
  });

  it('forecast() applies the scheduled speed limits of the coming hours', () => {
    // Monday 07:00 UTC: an hour at full speed, then a limit until 18:00.
    const monday = Date.UTC(2026, 10, 23, 7);
    const timetable = [{ days: [1, 2, 3, 4, 5], from: '08:00', until: '18:00', limit: 1e6 }];
    const atSeven = (bytes: number, perSecond: number) =>
      secondsToSend(bytes, perSecond, { limit: null, timetable }, monday, utcWeekTime);
    expect(forecast({ bytes: 180e9, files: 9 }, [largeFiles], hour, atSeven)?.seconds).toBe(3_600);
    expect(forecast({ bytes: 181e9, files: 9 }, [largeFiles], hour, atSeven)).toMatchObject({
      seconds: 3_600 + 1_000,
      bytesPerSecond: 181e9 / 4_600,
    });
  });

  it('forecast() asks for confirmation exactly when the time exceeds the credential life', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1e9 }), (bytes, perSecond) => {
        const speeds = [{ bytes: perSecond, files: 0, ms: 1000 }];
        const expected = forecast({ bytes, files: 1 }, speeds, hour);
        expect(mustBeConfirmed(expected)).toBe((expected?.seconds ?? 0) * 1000 > hour);
      }),
    );
  });

  it('forecast() ignores uploads of a few bytes or files', () => {
    expect(isWorthStoring({ bytes: 500, files: 0, ms: 1000 })).toBe(false);
    expect(isWorthStoring({ bytes: 1e9, files: 0, ms: 10 })).toBe(false);
    expect(isWorthStoring({ bytes: 8e6, files: 0, ms: 500 })).toBe(true);
    expect(isWorthStoring({ bytes: 500, files: 10, ms: 500 })).toBe(false);
    expect(isWorthStoring({ bytes: 5_000, files: 100, ms: 500 })).toBe(true);
  });
});

function utcWeekTime(at: number) {
  const date = new Date(at);
  return { day: date.getUTCDay(), minute: date.getUTCHours() * 60 + date.getUTCMinutes() };
}

describe('SpeedMeter', () => {
  const noTotals = { bytes: 0, parts: 0 };
  const parts = (count: number) => ({ bytes: count * 8 * mebibyte, parts: count });

  it('SpeedMeter ignores time the computer slept', () => {
    const meter = new SpeedMeter(0, noTotals);
    meter.add(1000, parts(1));
    meter.add(8 * hour, parts(1));
    meter.add(8 * hour + 1000, parts(3));
    expect(meter.end()[0]).toEqual({ bytes: 24 * mebibyte, files: 0, ms: 7000 });
  });

  it('SpeedMeter survives a clock set back and parts sent again', () => {
    const meter = new SpeedMeter(5000, noTotals);
    meter.add(6000, parts(2));
    meter.add(1000, parts(1));
    meter.add(2000, parts(3));
    expect(meter.end()[0]).toEqual({ bytes: 24 * mebibyte, files: 0, ms: 2000 });
  });

  it('SpeedMeter measures large and small files of one upload separately', () => {
    const meter = new SpeedMeter(0, parts(1));
    meter.add(1_000, parts(10));
    for (let second = 1; second <= 10; second++)
      meter.add(1_000 + second * 1_000, {
        bytes: 80 * mebibyte + second * 200_000,
        parts: 10 + second * 200,
      });
    expect(meter.end()).toEqual([
      { bytes: 72 * mebibyte, files: 0, ms: 1_000 },
      { bytes: 2_000_000, files: 2_000, ms: 10_000 },
    ]);
  });

  it('SpeedMeter counts time spent waiting without result', () => {
    const meter = new SpeedMeter(0, noTotals);
    meter.add(1_000, parts(1));
    meter.add(4_000, parts(1));
    expect(meter.end()[0]?.ms).toBe(4_000);
  });
});
