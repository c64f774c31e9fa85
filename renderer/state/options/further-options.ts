import { offsetOf, positionOf, readStrictJson } from '../../../shared/json-positions.ts';
import { optionNames } from '../../../shared/tiling-options.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import type { Key } from '../../../strings/say.ts';

type FurtherOptions =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: Phrase };

/** Options with their own fields, and the fields' names. */
const fieldsOfTheSheet: Readonly<Record<string, Key>> = {
  sourceType: 'options.types.sourceType',
  clampToTerrain: 'options.clamp.label',
  baseTerrainId: 'options.clamp.label',
  ...Object.fromEntries(optionNames.map((name) => [name, `options.fields.${name}.label` as const])),
};
const alwaysInTheForm = ['sourceType', 'clampToTerrain', 'baseTerrainId'];

/** @param inForm options that the form shows now; empty text means no options */
export function readFurtherOptions(text: string, inForm: readonly string[]): FurtherOptions {
  if (text.trim() === '') return { ok: true, value: {} };
  const json = readStrictJson(text);
  if (json.fault) {
    const { line } = positionOf(text, json.fault.offset);
    const values = { line, mistake: json.fault.what };
    return { ok: false, problem: { key: 'options.further.atLine', values } };
  }
  if (json.tree.type !== 'object') return { ok: false, problem: { key: 'options.further.noObject' } };
  const value = json.value as Readonly<Record<string, unknown>>;
  const name = [...alwaysInTheForm, ...inForm].find((option) => Object.hasOwn(value, option));
  if (name === undefined) return { ok: true, value };
  const { line } = positionOf(text, offsetOf(json.tree, [name]));
  const key = fieldsOfTheSheet[name];
  const field = key === undefined ? name : { key };
  return { ok: false, problem: { key: 'options.further.ownField', values: { line, name, field } } };
}
