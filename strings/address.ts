import { british, type Catalogues, type Speech } from './languages.ts';

/** The page reads its language from its address, before it draws anything. */

export function speechInAddress({ language, locale }: Speech): string {
  return new URLSearchParams({ language, locale }).toString();
}

/** English if the address has no valid language. */
export function speechFromAddress(catalogues: Catalogues, query: string): Speech {
  const parameters = new URLSearchParams(query);
  const language = parameters.get('language');
  if (language === null || !catalogues.has(language)) return british;
  const locale = parameters.get('locale') ?? language;
  return { language, locale: Intl.DateTimeFormat.supportedLocalesOf(safeLocales(locale))[0] ?? language };
}

function safeLocales(locale: string): string[] {
  try {
    return Intl.getCanonicalLocales(locale);
  } catch {
    return [];
  }
}
