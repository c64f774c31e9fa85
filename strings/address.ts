import { isLanguage, type Speech } from './languages.ts';

/** The page learns from its address what to speak, before it draws anything. */

export function speechInAddress({ language, locale }: Speech): string {
  return new URLSearchParams({ language, locale }).toString();
}

/** English where the address says nothing or nonsense. */
export function speechFromAddress(query: string): Speech {
  const given = new URLSearchParams(query);
  const language = given.get('language');
  if (!isLanguage(language)) return { language: 'en', locale: 'en-GB' };
  const locale = given.get('locale') ?? language;
  return { language, locale: Intl.DateTimeFormat.supportedLocalesOf(safe(locale))[0] ?? language };
}

function safe(locale: string): string[] {
  try {
    return Intl.getCanonicalLocales(locale);
  } catch {
    return [];
  }
}
