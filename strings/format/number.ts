/** Figures as the locale writes them. */

import { say } from '../say.ts';
import { perLocale } from './per-locale.ts';

const whole = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));

/** `1284` → `1,284`, in German `1.284`. */
export function formatCount(value: number): string {
  return whole().format(value);
}

/**
 * A share as percent, rounded down, so that 100 % never stands there before everything is done.
 *
 * @param fraction 0 to 1; anything outside is held at the ends.
 */
export function formatPercent(fraction: number): string {
  return say('units.percent', { percent: Math.floor(clampFraction(fraction) * 100) });
}

/** Held between 0 and 1; what is not a number counts as 0. */
export function clampFraction(fraction: number): number {
  return Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0;
}
