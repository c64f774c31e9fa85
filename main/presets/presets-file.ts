import { z } from 'zod';
import { furtherOptions, isFurtherOptions } from '../../shared/creation-options.ts';
import { doubleKeys, offsetOf, positionOf, readJson } from '../../shared/json-positions.ts';
import { type Preset, presetSchema } from '../../shared/schemas/presets.ts';
import type { LocatedProblem } from '../../shared/watch.ts';
import { fieldName, problemsOf, type RuleProblem, unknownKeys } from '../watch/rules-file/rule-problems.ts';

/** Presets as a file, to be shared. Pure. Base terrains belong to an account and do not go along. */

/** Grows when files of before can't be read any more as they were meant. */
const presetsFileVersion = 1;
/** Of all presets that are kept, and of those of a file. */
export const maxPresets = 200;

const { name, assetType, sourceType } = presetSchema.shape;
const filePreset = z.object({
  ...{ name, assetType, sourceType },
  clampToTerrain: z.boolean().default(false),
  /** As they go into the request (contract 2.2). */
  options: z
    .record(z.string().max(200), z.unknown())
    .default({})
    .refine((given) => isFurtherOptions(JSON.stringify(given))),
  isDefault: z.boolean().default(false),
});
const fileSchema = z.object({
  schemaVersion: z.literal(presetsFileVersion),
  presets: z.array(filePreset).min(1).max(maxPresets).readonly(),
});

/** A preset without what belongs to one computer or account. */
export type SharedPreset = Omit<Preset, 'id' | 'accountId' | 'baseTerrainId'>;

export type PresetsFile =
  | { readonly kind: 'presets'; readonly presets: readonly SharedPreset[] }
  /** As they stand in the file, of very many the first. Nothing of it is to be used. */
  | { readonly kind: 'problems'; readonly problems: readonly LocatedProblem[] };

const maxProblems = 100;

/** @param presets in their order */
export function presetsFileText(presets: readonly Preset[]): string {
  const shared = presets.map(({ name, assetType, sourceType, clampToTerrain, options, isDefault }) => ({
    ...{ name, assetType, sourceType, clampToTerrain },
    options: furtherOptions(options),
    isDefault,
  }));
  return `${JSON.stringify({ schemaVersion: presetsFileVersion, presets: shared }, null, 2)}\n`;
}

/** Reads a file, or says what is wrong with it, by line and field. Never throws. */
export function readPresetsFile(given: string): PresetsFile {
  const text = given.replace(/^\uFEFF/, '');
  const json = readJson(text);
  if (json.fault) {
    const { offset, what } = json.fault;
    return { kind: 'problems', problems: [{ ...positionOf(text, offset), field: '', what }] };
  }
  const { tree, value } = json;
  const { data, error } = fileSchema.safeParse(value);
  const found: readonly (RuleProblem & { readonly offset?: number })[] = [
    ...doubleKeys(tree).map((one) => ({ ...one, what: { key: 'rulesFile.problem.keyTwice' as const } })),
    ...(error ? problemsOf(error, value) : []),
    ...(data ? unknownKeys(value, data) : []),
    ...(data ? namesTwice(data.presets) : []),
  ];
  if (!data || found.length > 0) {
    const problems = found
      .map(({ path, what, offset }) => ({ at: offset ?? offsetOf(tree, path), field: fieldName(path), what }))
      .sort((a, b) => a.at - b.at)
      .slice(0, maxProblems)
      .map(({ at, ...problem }) => ({ ...positionOf(text, at), ...problem }));
    return { kind: 'problems', problems };
  }
  const presets = data.presets.map((one) => ({ ...one, options: JSON.stringify(one.options) }));
  return { kind: 'presets', presets };
}

function namesTwice(presets: readonly Pick<Preset, 'name' | 'sourceType'>[]): readonly RuleProblem[] {
  return presets.flatMap((one, index): RuleProblem[] =>
    presets.findIndex((other) => isSame(other, one)) < index
      ? [{ path: ['presets', index, 'name'], what: { key: 'presets.file.twice' } }]
      : [],
  );
}

/** Whether two presets go by one name, for one kind of data. */
export function isSame(
  a: Pick<Preset, 'name' | 'sourceType'>,
  b: Pick<Preset, 'name' | 'sourceType'>,
): boolean {
  return a.sourceType === b.sourceType && a.name.toLowerCase() === b.name.toLowerCase();
}
