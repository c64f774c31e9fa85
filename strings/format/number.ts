import type { Voice } from '../say.ts';

/** Numbers in the locale's notation. */
export function numberFormats({ say, perSpeech }: Voice) {
  const wholeNumbers = perSpeech(({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
  return {
    /** `1284` → `1,284`, in German `1.284`. */
    formatCount: (value: number): string => wholeNumbers().format(value),
    /** @param fraction 0 to 1, see `wholePercent` */
    formatPercent: (fraction: number): string => say('units.percent', { percent: wholePercent(fraction) }),
  };
}

export type NumberFormats = ReturnType<typeof numberFormats>;

/** Clamps to 0 to 1; NaN becomes 0. */
export function clampFraction(fraction: number): number {
  return Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0;
}

/**
 * A share in percent, rounded down, so that 100 % appears only when everything is done. @param fraction 0 to
 * 1; clamped
 */
export function wholePercent(fraction: number): number {
  return Math.floor(clampFraction(fraction) * 100);
}
