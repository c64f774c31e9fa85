/** Tiling options with their own fields (service-facts.md, "Options by kind"), and their JSON. */

import { hasOption, type OptionName, optionNames } from '../../../shared/kinds.ts';
import type { LonLat } from '../../../shared/source.ts';
import { say } from '../../say.ts';

export interface OptionValues {
  /** `EPSG:32633`; empty: the files' own. */
  readonly inputCrs: string;
  /** Empty: the service's choice. */
  readonly textureFormat: string;
  readonly geometryCompression: string;
  readonly instancing: boolean;
  /** Typed degrees and metres; all three or none. */
  readonly longitude: string;
  readonly latitude: string;
  readonly height: string;
}

export const noOptions: OptionValues = {
  inputCrs: '',
  textureFormat: '',
  geometryCompression: '',
  instancing: false,
  longitude: '',
  latitude: '',
  height: '',
};

export function textureFormatChoices(): readonly { readonly value: string; readonly label: string }[] {
  return [
    { value: '', label: say('options.textureFormat.service') },
    { value: 'AUTO', label: say('options.textureFormat.AUTO') },
    { value: 'WEBP', label: say('options.textureFormat.WEBP') },
  ];
}

/** Names in use; the service documents no list, so other text is sent as well. */
export function compressionChoices(): readonly { readonly value: string; readonly label: string }[] {
  return [
    { value: 'NONE', label: say('options.compression.NONE') },
    { value: 'DRACO', label: say('options.compression.DRACO') },
    { value: 'MESHOPT', label: say('options.compression.MESHOPT') },
  ];
}

export function optionsOf(sourceTypes: readonly string[]): readonly OptionName[] {
  return optionNames.filter((name) => sourceTypes.some((sourceType) => hasOption(sourceType, name)));
}

/** Request options for a source type, without empty or inapplicable ones. */
export function optionRecord(values: OptionValues, sourceType: string): Readonly<Record<string, unknown>> {
  const offered = optionsOf([sourceType]);
  const position = offered.includes('position') ? positionOf(values) : null;
  return {
    ...(offered.includes('inputCrs') && values.inputCrs.trim() !== ''
      ? { inputCrs: values.inputCrs.trim() }
      : {}),
    ...(offered.includes('textureFormat') && values.textureFormat !== ''
      ? { textureFormat: values.textureFormat }
      : {}),
    ...(offered.includes('geometryCompression') && values.geometryCompression.trim() !== ''
      ? { geometryCompression: values.geometryCompression.trim() }
      : {}),
    ...(offered.includes('instancing') && values.instancing ? { instancing: true } : {}),
    ...(position === null || typeof position === 'string' ? {} : { position }),
  };
}

const axes = ['longitude', 'latitude', 'height'] as const;
const farthest = { longitude: 180, latitude: 90, height: Number.MAX_VALUE };

/** Longitude, latitude, height; null if empty, a problem's text if invalid. */
export function positionOf(values: OptionValues): readonly [number, number, number] | string | null {
  if (isBlank(values)) return null;
  const wrong = wrongAxis(values);
  if (wrong !== null) return say(`options.position.no.${wrong}`);
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

function numberOf(typed: string): number {
  const text = typed.trim().replace(',', '.');
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
  const further = Object.entries(record).filter(([name, value]) => {
    const option = inForm.find((candidate) => candidate === name);
    const fields = option && inTheForm(option, value);
    if (fields) values = { ...values, ...fields };
    return !fields;
  });
  const json = JSON.stringify(Object.fromEntries(further), null, 2);
  return { values, further: further.length === 0 ? '' : json };
}

/** Undefined if no field can show the value. */
function inTheForm(option: OptionName, value: unknown): Partial<OptionValues> | undefined {
  switch (option) {
    case 'inputCrs':
    case 'textureFormat':
    case 'geometryCompression':
      return typeof value === 'string' ? { [option]: value } : undefined;
    case 'instancing':
      return typeof value === 'boolean' ? { instancing: value } : undefined;
    case 'position':
      return isPlace(value)
        ? { longitude: String(value[0]), latitude: String(value[1]), height: String(value[2]) }
        : undefined;
  }
}

function isPlace(value: unknown): value is readonly [number, number, number] {
  return Array.isArray(value) && value.length === 3 && value.every((item) => typeof item === 'number');
}
