import { type OptionName, optionNames } from '../../../shared/tiling-options.ts';
import { say, sayPhrase } from '../../say.ts';
import { readFurtherOptions } from './further-options.ts';
import {
  isPositiveNumber,
  noOptions,
  type OptionValues,
  optionRecord,
  optionsFromRecord,
  optionsOf,
  positionOf,
} from './options.ts';

export interface OptionsDraft {
  readonly options: OptionValues;
  readonly furtherOptions: string;
}

/** Fields that may have problems, in the order of the form. */
export const optionsFields = ['toMeters', 'position', 'furtherOptions'] as const;
export type OptionsField = (typeof optionsFields)[number];

export const blankOptions: OptionsDraft = { options: noOptions, furtherOptions: '' };

/** Reads the stored text, for this source type; options without a field become JSON. */
export function optionsDraftOf(json: string, sourceType: string): OptionsDraft {
  const { values, further: furtherText } = optionsFromRecord(recordOf(json), optionsOf([sourceType]));
  return { options: values, furtherOptions: furtherText };
}

/** The text for main, without options that don't apply. Expects a valid draft. */
export function optionsText({ options, furtherOptions }: OptionsDraft, sourceType: string): string {
  return JSON.stringify({ ...recordOf(furtherOptions), ...optionRecord(options, sourceType) });
}

/** @param inForm options that the form shows now */
export function optionsProblems(
  { options, furtherOptions }: OptionsDraft,
  inForm: readonly OptionName[],
): ReadonlyMap<OptionsField, string> {
  const problems = new Map<OptionsField, string>();
  if (inForm.includes('toMeters') && options.toMeters.trim() !== '' && !isPositiveNumber(options.toMeters))
    problems.set('toMeters', say('options.noNumber'));
  const position = inForm.includes('position') ? positionOf(options) : null;
  if (typeof position === 'string') problems.set('position', position);
  const parsedOptions = readFurtherOptions(furtherOptions, inForm);
  if (!parsedOptions.ok) problems.set('furtherOptions', sayPhrase(parsedOptions.problem));
  return problems;
}

/** `Textures: WEBP`, `Optimize the model`: each option by its field's label, others by their name. */
export function describeOptions(json: string): readonly string[] {
  return Object.entries(recordOf(json)).map(([name, value]) => {
    const option = optionNames.find((candidate) => candidate === name);
    const label = option ? say(`options.fields.${option}.label`) : name;
    return value === true ? label : `${label}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
}

function recordOf(json: string): Readonly<Record<string, unknown>> {
  const read = readFurtherOptions(json, []);
  return read.ok ? read.value : {};
}
