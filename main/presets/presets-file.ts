import { z } from 'zod';
import { furtherOptions, isFurtherOptions } from '../../shared/creation-options.ts';
import { doubleKeys, offsetOf, positionOf, readJson } from '../../shared/json-positions.ts';
import { type Preset, presetSchema } from '../../shared/schemas/presets.ts';
import type { LocatedProblem } from '../../shared/watch.ts';
import { type FieldProblem, fieldName, problemsOf, unknownKeys } from '../checked-file.ts';

/** Pure. Omits base terrains, which belong to an account. */

/** Increase for incompatible files. */
const presetsFileVersion = 1;
/** Limits stored presets and those of a file. */
export const maxPresets = 200;

const { name, assetType, sourceType } = presetSchema.shape;
const filePreset = z.object({
  ...{ name, assetType, sourceType },
  clampToTerrain: z.boolean().default(false),
  /** As in the request (contract 2.2). */
  options: z
    .record(z.string().max(200), z.unknown())
    .default({})
    .refine((options) => isFurtherOptions(JSON.stringify(options))),
  isDefault: z.boolean().default(false),
});
const fileSchema = z.object({
  schemaVersion: z.literal(presetsFileVersion),
  presets: z.array(filePreset).min(1).max(maxPresets).readonly(),
});

/** Omits what belongs to a computer or account. */
export type SharedPreset = Omit<Preset, 'id' | 'accountId' | 'baseTerrainId'>;

export type PresetsFile =
  | { readonly kind: 'presets'; readonly presets: readonly SharedPreset[] }
  /** Sorted as in the file, limited; use no presets. */
  | { readonly kind: 'problems'; readonly problems: readonly LocatedProblem[] };

const maxProblems = 100;

export function presetsFileText(presets: readonly Preset[]): string {
  const sharedPresets = presets.map(
    ({ name, assetType, sourceType, clampToTerrain, options, isDefault }) => ({
      ...{ name, assetType, sourceType, clampToTerrain },
      options: furtherOptions(options),
      isDefault,
    }),
  );
  return `${JSON.stringify({ schemaVersion: presetsFileVersion, presets: sharedPresets }, null, 2)}\n`;
}

/** Never throws. */
export function readPresetsFile(fileText: string): PresetsFile {
  const text = fileText.replace(/^\uFEFF/, '');
  const json = readJson(text);
  if (json.fault) {
    const { offset, what: problem } = json.fault;
    return { kind: 'problems', problems: [{ ...positionOf(text, offset), field: '', what: problem }] };
  }
  const { tree, value } = json;
  const { data, error } = fileSchema.safeParse(value);
  const unsortedProblems: readonly (FieldProblem & { readonly offset?: number })[] = [
    ...doubleKeys(tree).map((duplicate) => ({
      ...duplicate,
      what: { key: 'rulesFile.problem.keyTwice' as const },
    })),
    ...(error ? problemsOf(error, value) : []),
    ...(data ? unknownKeys(value, data) : []),
    ...(data ? namesTwice(data.presets) : []),
  ];
  if (!data || unsortedProblems.length > 0) {
    const problems = unsortedProblems
      .map(({ path, what: phrase, offset }) => ({
        at: offset ?? offsetOf(tree, path),
        field: fieldName(path),
        what: phrase,
      }))
      .sort((a, b) => a.at - b.at)
      .slice(0, maxProblems)
      .map(({ at: position, ...problem }) => ({ ...positionOf(text, position), ...problem }));
    return { kind: 'problems', problems };
  }
  const presets = data.presets.map((preset) => ({ ...preset, options: JSON.stringify(preset.options) }));
  return { kind: 'presets', presets };
}

function namesTwice(presets: readonly Pick<Preset, 'name' | 'sourceType'>[]): readonly FieldProblem[] {
  return presets.flatMap((preset, index): FieldProblem[] =>
    presets.findIndex((otherPreset) => isSame(otherPreset, preset)) < index
      ? [{ path: ['presets', index, 'name'], what: { key: 'presets.file.twice' } }]
      : [],
  );
}

/** By name and kind of data. */
export function isSame(
  a: Pick<Preset, 'name' | 'sourceType'>,
  b: Pick<Preset, 'name' | 'sourceType'>,
): boolean {
  return a.sourceType === b.sourceType && a.name.toLowerCase() === b.name.toLowerCase();
}
