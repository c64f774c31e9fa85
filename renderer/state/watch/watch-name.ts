/** Tokens of asset names; main replaces them. */

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

export function tokenWords(token: NameToken): string {
  return say(meanings[token]);
}

export function unknownToken(pattern: string): string | null {
  const tokens: readonly string[] = nameTokens;
  return pattern.match(/\{[^{}]*\}/g)?.find((token) => !tokens.includes(token)) ?? null;
}

/** Example name for the first source. Empty if nothing is left. */
export function exampleName(
  pattern: string,
  folder: string,
  nowMs: number,
  unit: WatchUnit['kind'] = 'entries',
): string {
  const day = new Date(nowMs);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const exampleParent = baseName(folder.trim()) || say('watchEditor.names.exampleParent');
  const sourceName = unit === 'batch' ? exampleParent : say('watchEditor.names.exampleName');
  const parts: Readonly<Record<string, string>> = {
    '{name}': sourceName,
    '{parent}': exampleParent,
    '{path}': sourceName,
    '{date}': `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`,
    '{counter}': '001',
  };
  return pattern.replace(/\{[^{}]*\}/g, (token) => parts[token] ?? token).trim();
}
