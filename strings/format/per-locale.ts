import { currentSpeech } from '../say.ts';

/** A formatter of the locale that is spoken now: expensive to create, so created once for each. */
export function perLocale<Formatter>(make: (locale: string) => Formatter): () => Formatter {
  const made = new Map<string, Formatter>();
  return () => {
    const { locale } = currentSpeech();
    const kept = made.get(locale);
    if (kept !== undefined) return kept;
    const formatter = make(locale);
    made.set(locale, formatter);
    return formatter;
  };
}
