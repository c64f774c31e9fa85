/** The tokens of an asset's name, as a person puts them in. Main fills them in for real. */

import type { WatchUnit } from '../../../preload/contract.ts';
import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';
import { baseName } from '../../words/source.ts';

export const nameTokens = ['{name}', '{parent}', '{path}', '{date}', '{counter}'] as const;

type NameToken = (typeof nameTokens)[number];

const meanings: Readonly<Record<NameToken, Key>> = {
  '{name}': 'watchEditor.token.name',
  '{parent}': 'watchEditor.token.parent',
  '{path}': 'watchEditor.token.path',
  '{date}': 'watchEditor.token.date',
  '{counter}': 'watchEditor.token.counter',
};

/** What the token stands for. */
export function tokenWords(token: NameToken): string {
  return say(meanings[token]);
}

/** The first token that does not exist; null where all do. */
export function unknownToken(pattern: string): string | null {
  const known: readonly string[] = nameTokens;
  return pattern.match(/\{[^{}]*\}/g)?.find((token) => !known.includes(token)) ?? null;
}

/** What the pattern could give for the first source; `now` in epoch ms. Empty where nothing would be left. */
export function exampleName(
  pattern: string,
  folder: string,
  now: number,
  unit: WatchUnit['kind'] = 'entries',
): string {
  const day = new Date(now);
  const two = (value: number) => String(value).padStart(2, '0');
  const around = baseName(folder.trim()) || say('watchEditor.names.exampleParent');
  const own = unit === 'batch' ? around : say('watchEditor.names.exampleName');
  const parts: Readonly<Record<string, string>> = {
    '{name}': own,
    '{parent}': around,
    '{path}': own,
    '{date}': `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`,
    '{counter}': '001',
  };
  return pattern.replace(/\{[^{}]*\}/g, (token) => parts[token] ?? token).trim();
}
