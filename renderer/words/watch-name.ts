/** The tokens of an asset's name, as a person puts them in. Main fills them in for real. */

import { baseName } from './source.ts';

export const nameTokens = [
  { token: '{name}', says: 'the name of the folder or file' },
  { token: '{parent}', says: 'the folder that it lies in' },
  { token: '{date}', says: 'the day on which it is taken' },
  { token: '{counter}', says: 'the number of the asset' },
] as const;

/** The first token that does not exist; null where all do. */
export function unknownToken(pattern: string): string | null {
  const known: readonly string[] = nameTokens.map(({ token }) => token);
  return pattern.match(/\{[^{}]*\}/g)?.find((token) => !known.includes(token)) ?? null;
}

/** What the pattern could give for the first source; `now` in ms since the epoch. Empty where nothing would be left. */
export function exampleName(pattern: string, folder: string, now: number): string {
  const day = new Date(now);
  const two = (value: number) => String(value).padStart(2, '0');
  const parts: Readonly<Record<string, string>> = {
    '{name}': 'Kai_3',
    '{parent}': baseName(folder.trim()) || 'incoming',
    '{date}': `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`,
    '{counter}': '001',
  };
  return pattern.replace(/\{[^{}]*\}/g, (token) => parts[token] ?? token).trim();
}
