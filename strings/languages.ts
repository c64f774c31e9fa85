/** The messages of a language as a tree of keys. */
export interface Branch {
  readonly [name: string]: string | Branch;
}

/** A language file: facts about the language, and its messages. */
export interface Catalogue extends Branch {
  readonly language: LanguageFacts;
}

interface LanguageFacts extends Branch {
  /** The language's own name: `Deutsch`. */
  readonly name: string;
  /** Locale for numbers and dates if the system has none for the language (BCP 47). */
  readonly locale: string;
}

/** All languages that have a file, by tag (BCP 47): `de`. */
export type Catalogues = ReadonlyMap<string, Catalogue>;

/** The language of all texts, and the locale of numbers and dates (BCP 47). */
export interface Speech {
  readonly language: string;
  readonly locale: string;
  /** Without a window, advice names commands instead of buttons. */
  readonly isInTerminal?: true;
}

/** The English of all records and logs. */
export const british: Speech = { language: 'en', locale: 'en-GB' };

/** The user's choice: a language tag, or `system` for the system's language. */
export type LanguageChoice = string;

/** @param files language files by path: `…/de.json` */
export function cataloguesFrom(files: Readonly<Record<string, Catalogue>>): Catalogues {
  return new Map(
    Object.entries(files).map(([path, catalogue]) => [path.replace(/^.*[/\\]|\.json$/g, ''), catalogue]),
  );
}

/**
 * Chooses the language, and the system's own locale for it if there is one. @param preferredLocales the
 * system's languages, most preferred first (BCP 47)
 */
export function chooseSpeech(
  catalogues: Catalogues,
  choice: LanguageChoice,
  preferredLocales: readonly string[],
): Speech {
  const offeredLanguages = preferredLocales.map((system) => {
    const locale = system.replaceAll('_', '-');
    return { locale, language: languageOf(catalogues, locale) };
  });
  const preferredLanguage = offeredLanguages.find(({ language }) => language !== undefined)?.language;
  const language = catalogues.has(choice) ? choice : (preferredLanguage ?? british.language);
  const locale = offeredLanguages.find((preference) => preference.language === language)?.locale;
  return {
    language,
    locale: isLocale(locale) ? locale : (catalogues.get(language)?.language.locale ?? language),
  };
}

/** The language file of a locale: an exact match (`pt-BR`), else that of the language (`pt`). */
function languageOf(catalogues: Catalogues, locale: string): string | undefined {
  const tag = locale.toLowerCase();
  const languages = [...catalogues.keys()];
  return [tag, tag.split('-')[0]].flatMap((tagPart) =>
    languages.filter((name) => name.toLowerCase() === tagPart),
  )[0];
}

function isLocale(locale: string | undefined): locale is string {
  try {
    return locale !== undefined && Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
