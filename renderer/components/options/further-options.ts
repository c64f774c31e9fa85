/** Further options as a person types them: a JSON object, checked while it is written. */

import { type Key, say } from '../../../strings/say.ts';
import { describeJsonMistake, lineAt } from './json-mistake.ts';

export type FurtherOptions =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  /** With the line that it is about, where there is one. */
  | { readonly ok: false; readonly problem: string };

/** What the sheet has other fields for, and what they are called there. */
const fieldsOfTheSheet: Readonly<Record<string, Key>> = {
  sourceType: 'newAsset.sourceType',
  clampToTerrain: 'options.clamp.label',
  baseTerrainId: 'options.clamp.label',
  inputCrs: 'options.inputCrs',
  textureFormat: 'options.textures',
  instancing: 'options.instancing',
  position: 'options.position.label',
};
const alwaysInTheForm = ['sourceType', 'clampToTerrain', 'baseTerrainId'];

/** @param inForm options that the form shows now; empty text is no options */
export function readFurtherOptions(text: string, inForm: readonly string[]): FurtherOptions {
  if (text.trim() === '') return { ok: true, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: describeJsonMistake(text, error instanceof Error ? error.message : '') };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: say('options.further.noObject') };
  }
  const twice = firstRepeated(text);
  if (twice) return { ok: false, problem: say('options.further.twice', { ...twice }) };
  for (const name of Object.keys(value)) {
    if (!alwaysInTheForm.includes(name) && !inForm.includes(name)) continue;
    const line = lineAt(text, text.indexOf(JSON.stringify(name)));
    const key = fieldsOfTheSheet[name];
    const field = key === undefined ? name : say(key);
    return { ok: false, problem: say('options.further.ownField', { line, name, field }) };
  }
  return { ok: true, value: value as Readonly<Record<string, unknown>> };
}

/** JSON lets the last of two win without a word. Looks at the outermost object of a valid text. */
function firstRepeated(text: string): { readonly name: string; readonly line: number } | null {
  const seen = new Set<string>();
  let depth = 0;
  for (const token of text.matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"(\s*:)?|\\?$)|[{}[\]]/g)) {
    const [found, colon] = token;
    if (found === '{' || found === '[') depth += 1;
    else if (found === '}' || found === ']') depth -= 1;
    else if (depth === 1 && colon !== undefined) {
      const name: unknown = JSON.parse(found.slice(0, found.length - colon.length));
      if (typeof name !== 'string') continue;
      if (seen.has(name)) return { name, line: lineAt(text, token.index) };
      seen.add(name);
    }
  }
  return null;
}
