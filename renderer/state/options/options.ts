/** Values of the options with their own fields (shared/tiling-options.ts), and their JSON. */

import type { LonLat } from '../../../shared/source.ts';
import {
  hasOption,
  type OptionName,
  optionFacts,
  optionNames,
  type SwitchName,
  type TextName,
} from '../../../shared/tiling-options.ts';
import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';

/** As typed; empty texts leave the choice to the service. */
export interface OptionValues
  extends Readonly<Record<TextName, string>>,
    Readonly<Record<SwitchName, boolean>> {
  /** Typed degrees and metres; all three or none. */
  readonly longitude: string;
  readonly latitude: string;
  readonly height: string;
}

export const isSwitch = (name: OptionName): name is SwitchName => optionFacts(name).field === 'switch';
export const isText = (name: OptionName): name is TextName => name !== 'position' && !isSwitch(name);

export const noOptions: OptionValues = {
  ...(Object.fromEntries(optionNames.filter(isText).map((name) => [name, ''])) as Record<TextName, string>),
  ...(Object.fromEntries(optionNames.filter(isSwitch).map((name) => [name, false])) as Record<
    SwitchName,
    boolean
  >),
  longitude: '',
  latitude: '',
  height: '',
};

/** Choices of an option in words; a list can always be left to the service. */
export function choicesOf(name: TextName): readonly { readonly value: string; readonly label: string }[] {
  const { field, choices = [] } = optionFacts(name);
  const listedChoices = choices.map((value) => ({ value, label: choiceLabel(name, value) }));
  return field === 'choice'
    ? [{ value: '', label: say('options.serviceDefault') }, ...listedChoices]
    : listedChoices;
}

export const choiceLabel = (name: TextName, choice: string): string =>
  say(`options.fields.${name}.${choice}` as Key);

/** Null if the field's label says enough. */
export function hintOf(name: OptionName): string | null {
  return optionsWithHint.has(name) ? say(`options.fields.${name}.hint` as Key) : null;
}

const optionsWithHint: ReadonlySet<OptionName> = new Set(
  optionNames.filter((name) => !optionFacts(name).choices),
);

export function optionsOf(sourceTypes: readonly string[]): readonly OptionName[] {
  return optionNames.filter((name) => sourceTypes.some((sourceType) => hasOption(sourceType, name)));
}

/** Request options for a source type, without empty, invalid or inapplicable ones. */
export function optionRecord(values: OptionValues, sourceType: string): Readonly<Record<string, unknown>> {
  const entries = optionsOf([sourceType]).map((name) => [name, requestValue(name, values)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

function requestValue(name: OptionName, values: OptionValues): unknown {
  if (name === 'position') {
    const position = positionOf(values);
    return typeof position === 'string' ? null : position;
  }
  if (isSwitch(name)) return values[name] ? true : null;
  if (!isText(name) || values[name].trim() === '') return null;
  if (optionFacts(name).field !== 'number') return values[name].trim();
  return isPositiveNumber(values[name]) ? numberOf(values[name]) : null;
}

export function isPositiveNumber(enteredText: string): boolean {
  return numberOf(enteredText) > 0 && Number.isFinite(numberOf(enteredText));
}

const axes = ['longitude', 'latitude', 'height'] as const;
const farthest = { longitude: 180, latitude: 90, height: Number.MAX_VALUE };

/** Longitude, latitude, height; null if empty, a problem's text if invalid. */
export function positionOf(values: OptionValues): readonly [number, number, number] | string | null {
  if (isBlank(values)) return null;
  const axisInError = wrongAxis(values);
  if (axisInError !== null) return say(`options.position.no.${axisInError}`);
  return [numberOf(values.longitude), numberOf(values.latitude), numberOf(values.height)];
}

/** Degrees; null if missing or invalid. */
export function placeOf(values: OptionValues): LonLat | null {
  const [longitude, latitude] = [numberOf(values.longitude), numberOf(values.latitude)];
  const isPlace = Math.abs(longitude) <= farthest.longitude && Math.abs(latitude) <= farthest.latitude;
  return isPlace ? [longitude, latitude] : null;
}

export function wrongAxis(values: OptionValues): (typeof axes)[number] | null {
  if (isBlank(values)) return null;
  return axes.find((axis) => !(Math.abs(numberOf(values[axis])) <= farthest[axis])) ?? null;
}

function isBlank(values: OptionValues): boolean {
  return axes.every((axis) => values[axis].trim() === '');
}

function numberOf(enteredText: string): number {
  const text = enteredText.trim().replace(',', '.');
  return text === '' ? Number.NaN : Number(text);
}

/**
 * Splits a stored record into fields and JSON.
 *
 * @param inForm visible options: others would get lost in fields
 */
export function optionsFromRecord(
  record: Readonly<Record<string, unknown>>,
  inForm: readonly OptionName[],
): { readonly values: OptionValues; readonly further: string } {
  let values = noOptions;
  const furtherOptions = Object.entries(record).filter(([name, value]) => {
    const option = inForm.find((candidate) => candidate === name);
    const fields = option && fieldsOfValue(option, value);
    if (fields) values = { ...values, ...fields };
    return !fields;
  });
  const json = JSON.stringify(Object.fromEntries(furtherOptions), null, 2);
  return { values, further: furtherOptions.length === 0 ? '' : json };
}

/** Undefined if no field can show the value. */
function fieldsOfValue(option: OptionName, value: unknown): Partial<OptionValues> | undefined {
  const { field, choices = [] } = optionFacts(option);
  switch (field) {
    case 'position':
      return isPlace(value)
        ? { longitude: String(value[0]), latitude: String(value[1]), height: String(value[2]) }
        : undefined;
    case 'switch':
      return typeof value === 'boolean' ? { [option]: value } : undefined;
    case 'number':
      return typeof value === 'number' && value > 0 ? { [option]: String(value) } : undefined;
    case 'choice':
      return choices.some((choice) => choice === value) ? { [option]: value } : undefined;
    default:
      return typeof value === 'string' ? { [option]: value } : undefined;
  }
}

function isPlace(value: unknown): value is readonly [number, number, number] {
  return Array.isArray(value) && value.length === 3 && value.every((item) => typeof item === 'number');
}
