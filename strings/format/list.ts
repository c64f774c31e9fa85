import { perLocale } from './per-locale.ts';

const all = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

/** `a, b and c`. */
export function formatList(words: readonly string[]): string {
  return all().format(words);
}
