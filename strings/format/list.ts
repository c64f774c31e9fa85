import { say } from '../say.ts';
import { perLocale } from './per-locale.ts';

const all = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

/** `a, b and c`. */
export function formatList(words: readonly string[]): string {
  return all().format(words);
}

/** `a, b, c`: some of many, without an end. Empty for none. */
export function formatNames(words: readonly string[]): string {
  const [first = '', ...others] = words;
  return others.reduce((before, name) => say('general.nextName', { before, name }), first);
}
