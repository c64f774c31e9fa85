/** Further options as a person types them: a JSON object, checked while it is written. */

import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
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
  const faults: ParseError[] = [];
  let tree: Node | undefined;
  let value: unknown;
  try {
    tree = parseTree(text, faults, { disallowComments: true, allowTrailingComma: false });
    value = tree && getNodeValue(tree);
  } catch (error) {
    // Brackets within brackets, thousands deep.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problem: say('options.further.noObject') };
  }
  if (faults.length > 0) return { ok: false, problem: describeJsonMistake(text, faults) };
  if (tree?.type !== 'object') return { ok: false, problem: say('options.further.noObject') };
  const seen = new Set<string>();
  for (const { children } of tree.children ?? []) {
    const { value: name, offset } = children?.[0] ?? {};
    if (typeof name !== 'string' || offset === undefined) continue;
    const line = lineAt(text, offset);
    // JSON lets the last of two win without a word.
    if (seen.has(name)) return { ok: false, problem: say('options.further.twice', { line, name }) };
    seen.add(name);
    if (!alwaysInTheForm.includes(name) && !inForm.includes(name)) continue;
    const key = fieldsOfTheSheet[name];
    const field = key === undefined ? name : say(key);
    return { ok: false, problem: say('options.further.ownField', { line, name, field }) };
  }
  return { ok: true, value: value as Readonly<Record<string, unknown>> };
}
