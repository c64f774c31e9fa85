/** How long an upload will take, compared with the life of its storage credentials, in words. */

import type { Forecast } from '../../../../preload/contract.ts';
import { clampFraction } from '../../../../strings/format/number.ts';
import { formatFileRate, formatRoughDuration, formatRoughRate, perSpeech, say } from '../../../say.ts';
import type { Tone } from '../../../words/tone.ts';

interface ForecastWords {
  /** `1 min 10 s`. */
  readonly time: string;
  /** `at 31 MB/s`, or `at 118 files/s` where their number takes longer than their bytes. */
  readonly rate: string;
  readonly share: string;
  /** For the bar, 0 to 1. */
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
    const share = shareOfLife < 1.1 ? say('forecast.over') : say('forecast.timesOver', { times });
    return { ...words, share, tone: 'error' };
  }
  const percent = Math.max(1, Math.round(shareOfLife * 100));
  const share = say('units.percent', { percent });
  return shareOfLife > tightShare
    ? { ...words, share: say('forecast.tight', { share }), tone: 'waiting' }
    : { ...words, share: say('forecast.share', { share }), tone: 'complete' };
}

/** Such an upload is started only when someone wants it anyway. */
export function asksFirst(forecast: Forecast | null): forecast is Forecast {
  return forecast !== null && forecast.shareOfLife > 1;
}

/** Of several, the one that takes most of its credentials' life; null where none is known. */
export function longestForecast(forecasts: readonly (Forecast | null)[]): Forecast | null {
  return forecasts.reduce(
    (longest, one) => (one && (!longest || one.shareOfLife > longest.shareOfLife) ? one : longest),
    null,
  );
}

/** From half an hour on, or where it is tight: below that it is over before anyone has read it. */
export function isWorthSaying({ seconds, shareOfLife }: Forecast): boolean {
  return seconds >= 30 * 60 || shareOfLife > 0.8;
}
