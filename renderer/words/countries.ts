import { perSpeech } from '../say.ts';

/** `DE`. @param id ISO 3166-1 numeric: `276` */
export function regionOf(id: string | null): string | undefined {
  return id === null ? undefined : new Intl.Locale(`und-${id}`).region;
}

const names = perSpeech(({ locale }) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }));

/** Uses the window's language. @param id ISO 3166-1 numeric */
export function countryName(id: string | null): string | undefined {
  const region = regionOf(id);
  return region === undefined ? undefined : names().of(region);
}
