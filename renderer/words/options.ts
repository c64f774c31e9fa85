/** Options of the tiling that have a form of their own (service facts, "Options seen"), and those that a person writes as JSON. */

import { say } from '../../strings/say.ts';

export interface OptionValues {
  /** `EPSG:32633`; empty for what the files say. */
  readonly inputCrs: string;
  /** Empty for the service's own choice. */
  readonly textureFormat: string;
  readonly instancing: boolean;
  /** Degrees and metres as typed; all three or none. */
  readonly longitude: string;
  readonly latitude: string;
  readonly height: string;
}

export type OptionName = 'inputCrs' | 'textureFormat' | 'instancing' | 'position';

export const noOptions: OptionValues = {
  inputCrs: '',
  textureFormat: '',
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

/** The service documents no list: each is offered where it means something, and JSON takes the rest. */
const sourceTypesOf: Readonly<Record<OptionName, readonly string[]>> = {
  inputCrs: ['POINT_CLOUD', '3D_CAPTURE', '3D_MODEL', 'BIM_CAD'],
  textureFormat: ['CITYGML', '3D_CAPTURE', '3D_MODEL', 'BIM_CAD', 'KML'],
  instancing: ['3D_MODEL', 'BIM_CAD'],
  position: ['3D_CAPTURE', '3D_MODEL', 'BIM_CAD'],
};

/** The options that have a form for any of these source types. */
export function optionsOf(sourceTypes: readonly string[]): readonly OptionName[] {
  const names = Object.keys(sourceTypesOf) as OptionName[];
  return names.filter((name) => sourceTypesOf[name].some((type) => sourceTypes.includes(type)));
}

/** What goes into the request for one source type. What is empty, or has no meaning for it, is left out. */
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
    ...(offered.includes('instancing') && values.instancing ? { instancing: true } : {}),
    ...(position === null || typeof position === 'string' ? {} : { position }),
  };
}

/** Longitude, latitude, height; null where nothing is given, words where it is no place. */
export function positionOf(values: OptionValues): readonly [number, number, number] | string | null {
  const typed = [values.longitude, values.latitude, values.height].map((text) =>
    text.trim().replace(',', '.'),
  );
  if (typed.every((text) => text === '')) return null;
  const [longitude = Number.NaN, latitude = Number.NaN, height = Number.NaN] = typed.map((text) =>
    text === '' ? Number.NaN : Number(text),
  );
  if (!(Math.abs(longitude) <= 180)) return say('options.position.noLongitude');
  if (!(Math.abs(latitude) <= 90)) return say('options.position.noLatitude');
  if (!Number.isFinite(height)) return say('options.position.noHeight');
  return [longitude, latitude, height];
}

/** A remembered record back in the form, and as JSON what has no place there. */
export function optionsFromRecord(record: Readonly<Record<string, unknown>>): {
  values: OptionValues;
  further: string;
} {
  const { inputCrs, textureFormat, instancing, ...rest } = record;
  const further: Record<string, unknown> = { ...rest };
  const text = (name: string, value: unknown) => {
    if (typeof value === 'string') return value;
    if (value !== undefined) further[name] = value;
    return '';
  };
  if (instancing !== undefined && typeof instancing !== 'boolean') further.instancing = instancing;
  const values = {
    ...noOptions,
    inputCrs: text('inputCrs', inputCrs),
    textureFormat: text('textureFormat', textureFormat),
    instancing: instancing === true,
  };
  return { values, further: Object.keys(further).length === 0 ? '' : JSON.stringify(further, null, 2) };
}
