import { expect, it } from 'vitest';
import {
  asksFirst,
  describeForecast,
  isWorthSaying,
} from '../../../../../renderer/state/new-asset/draft/forecast.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const words = (seconds: number, bytesPerSecond = 31e6) => {
  const {
    time,
    rate,
    share: shareText,
    tone,
  } = describeForecast({ seconds, bytesPerSecond, filesPerSecond: null, shareOfLife: seconds / 3600 });
  return [plain(time), plain(rate), plain(shareText), tone];
};

it('describeForecast() shows time, speed and share of the hour', () => {
  expect(words(70)).toEqual([
    '1 min 10 s',
    'at 31 MB/s',
    '2 % of the hour its storage credentials are valid',
    'complete',
  ]);
  expect(words(2)).toEqual([
    'a few seconds',
    'at 31 MB/s',
    '1 % of the hour its storage credentials are valid',
    'complete',
  ]);
});

it('describeForecast() shows the speed in files when their number takes longest', () => {
  const forecast = { seconds: 1_000, bytesPerSecond: 1e5, filesPerSecond: 99.6, shareOfLife: 1 / 3.6 };
  expect(plain(describeForecast(forecast).rate)).toBe('at 100 files/s');
});

it('describeForecast() warns above 80 %', () => {
  expect(words(0.8 * 3600)[3]).toBe('complete');
  expect(words(0.81 * 3600, 2.5e6)).toEqual([
    '49 min',
    'at 2.5 MB/s',
    '81 % of the hour its storage credentials are valid: little margin',
    'waiting',
  ]);
});

it('describeForecast() says that the upload does not fit, with a full bar', () => {
  const forecast = { seconds: 2.3 * 3600, bytesPerSecond: 12e6, filesPerSecond: null, shareOfLife: 2.3 };
  expect(describeForecast(forecast).fraction).toBe(1);
  expect(words(2.3 * 3600)).toMatchObject([
    '2 h 20 min',
    'at 31 MB/s',
    '2.3 times the hour its storage credentials are valid: it will probably not finish',
    'error',
  ]);
  expect(words(1.05 * 3600)[2]).toMatch(/^More than the hour/);
});

it('describeForecast() needs confirmation only when it does not fit', () => {
  const forecast = { seconds: 1, bytesPerSecond: 1, filesPerSecond: null, shareOfLife: 1 };
  expect(asksFirst(null)).toBe(false);
  expect(asksFirst(forecast)).toBe(false);
  expect(asksFirst({ ...forecast, shareOfLife: 1.01 })).toBe(true);
});

it('isWorthSaying() is true from half an hour on, and when it is tight', () => {
  const forecast = { bytesPerSecond: 1, filesPerSecond: null };
  expect(isWorthSaying({ ...forecast, seconds: 29 * 60, shareOfLife: 29 / 60 })).toBe(false);
  expect(isWorthSaying({ ...forecast, seconds: 30 * 60, shareOfLife: 0.5 })).toBe(true);
  expect(isWorthSaying({ ...forecast, seconds: 60, shareOfLife: 0.81 })).toBe(true);
});
