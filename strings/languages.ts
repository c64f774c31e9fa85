/** The languages of the catalogue (ISO 639-1), each by its own name. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languageNames;
/** In which language Tilelift speaks, and how it writes numbers and dates (BCP 47). */
export interface Speech {
  readonly language: Language;
  readonly locale: string;
}

/** What a person chooses: a language, or whatever the system speaks. */
export type LanguageChoice = Language | 'system';

export const languages = Object.keys(languageNames) as readonly Language[];

export function isLanguage(word: string | null | undefined): word is Language {
  return languages.some((language) => language === word);
}

/**
 * The language to speak, and the locale for numbers and dates: the system's own for that language, if it has one.
 *
 * @param preferred the system's languages, the most wanted first (BCP 47)
 */
export function chooseSpeech(choice: LanguageChoice, preferred: readonly string[]): Speech {
  const offered = preferred.map((locale) => ({ locale, language: locale.toLowerCase().split(/[-_]/)[0] }));
  const wanted = offered.map(({ language }) => language).find(isLanguage);
  const language = choice === 'system' ? (wanted ?? 'en') : choice;
  const locale = offered.find((one) => one.language === language)?.locale.replaceAll('_', '-');
  return { language, locale: isLocale(locale) ? locale : defaultLocales[language] };
}

/** Where the system has no locale of its own for a language. */
const defaultLocales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

function isLocale(locale: string | undefined): locale is string {
  try {
    return locale !== undefined && Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
