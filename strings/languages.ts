/** The messages of a language, each by its key's names. */
export interface Branch {
  readonly [name: string]: string | Branch;
}

/** A language file: what it says of itself, and its messages. */
export interface Catalogue extends Branch {
  readonly language: LanguageFacts;
}

interface LanguageFacts extends Branch {
  /** As it calls itself: `Deutsch`. */
  readonly name: string;
  /** For numbers and dates where the system has none of its own for the language (BCP 47). */
  readonly locale: string;
}

/** Every language that there is a file of, by its tag (BCP 47): `de`. */
export type Catalogues = ReadonlyMap<string, Catalogue>;

/** In which language Tilelift speaks, and how it writes numbers and dates (BCP 47). */
export interface Speech {
  readonly language: string;
  readonly locale: string;
  /** There is no window: advice names what a command has instead. */
  readonly isInTerminal?: true;
}

/** English as all records and logs have it. */
export const british: Speech = { language: 'en', locale: 'en-GB' };

/** The user's choice: a language tag, or `system` for the system's language. */
export type LanguageChoice = string;

/** @param files the language files by their paths: `…/de.json` */
export function cataloguesFrom(files: Readonly<Record<string, Catalogue>>): Catalogues {
  return new Map(
    Object.entries(files).map(([path, catalogue]) => [path.replace(/^.*[/\\]|\.json$/g, ''), catalogue]),
  );
}

/**
 * The language to speak, and the locale for numbers and dates: the system's own for that language, if it has
 * one.
 *
 * @param preferredLocales the system's languages, the most wanted first (BCP 47)
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

/** The language file for a locale: its own (`pt-BR`), or that of its language (`pt`). */
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
