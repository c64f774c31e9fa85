/** Texts comparing an upload's duration with the lifetime of its storage credentials. */

import type { Forecast } from '../../../../preload/contract.ts';
import { clampFraction } from '../../../../strings/format/number.ts';
import { formatFileRate, formatRoughDuration, formatRoughRate, perSpeech, say } from '../../../say.ts';
import type { Tone } from '../../../words/tone.ts';

interface ForecastWords {
  /** `1 min 10 s`. */
  readonly time: string;
  /** `at 31 MB/s`, or `at 118 files/s` if the number of files dominates. */
  readonly rate: string;
  readonly share: string;
  readonly fraction: number;
  readonly tone: Tone;
}

const tightShare = 0.8;
const oneDecimal = perSpeech(
  ({ locale }) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);

export function describeForecast({
  seconds,
  bytesPerSecond,
  filesPerSecond,
  shareOfLife,
}: Forecast): ForecastWords {
  const words = {
    time: formatRoughDuration(seconds * 1000),
    rate: say('forecast.rate', {
      rate: filesPerSecond === null ? formatRoughRate(bytesPerSecond) : formatFileRate(filesPerSecond),
    }),
    fraction: clampFraction(shareOfLife),
  };
  if (shareOfLife > 1) {
    const times = oneDecimal().format(shareOfLife);
    const timesText = shareOfLife < 1.1 ? say('forecast.over') : say('forecast.timesOver', { times });
    return { ...words, share: timesText, tone: 'error' };
  }
  const percent = Math.max(1, Math.round(shareOfLife * 100));
  const percentText = say('units.percent', { percent });
  return shareOfLife > tightShare
    ? { ...words, share: say('forecast.tight', { share: percentText }), tone: 'waiting' }
    : { ...words, share: say('forecast.share', { share: percentText }), tone: 'complete' };
}

export function asksFirst(forecast: Forecast | null): forecast is Forecast {
  return forecast !== null && forecast.shareOfLife > 1;
}

/** The forecast with the largest share of the credentials' lifetime; null if none is available. */
export function longestForecast(forecasts: readonly (Forecast | null)[]): Forecast | null {
  return forecasts.reduce(
    (longestForecast, forecast) =>
      forecast && (!longestForecast || forecast.shareOfLife > longestForecast.shareOfLife)
        ? forecast
        : longestForecast,
    null,
  );
}

/** From 30 minutes, or if time is short: quicker uploads end before a person reads it. */
export function isWorthSaying({ seconds, shareOfLife }: Forecast): boolean {
  return seconds >= 30 * 60 || shareOfLife > 0.8;
}
