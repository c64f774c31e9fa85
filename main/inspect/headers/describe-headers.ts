import type { Phrase, PhraseValue } from '../../../strings/phrase.ts';
import type { GmlHead } from '../formats/documents/markup.ts';
import type { TiffHead } from '../formats/raster/tiff.ts';
import type { Head } from '../formats/read-file.ts';
import type { Look } from './look-inside.ts';

/** Sample format of a raster. */
export type Samples = Pick<TiffHead, 'bands' | 'bits' | 'sample' | 'palette'>;

type SampledHead = Extract<Head, Samples>;

/** Whether a header has the sample format. */
export const hasSamples = (head: Head | null | undefined): head is SampledHead =>
  head != null && 'bands' in head;

export function headersOfKind<Kind extends Head['kind']>(
  inspectedFiles: readonly Look[],
  kind: Kind,
): readonly Extract<Head, { kind: Kind }>[] {
  return inspectedFiles.flatMap(({ head }) =>
    head?.kind === kind ? [head as Extract<Head, { kind: Kind }>] : [],
  );
}

/** Describes the most frequent format: `1 band of 32-bit floats`, `3 bands of 8 bits`. */
export function describeSamples(heads: readonly Samples[]): Phrase | null {
  return commonest(
    heads.map(({ bands, bits, sample, palette }) => {
      const layout = palette ? 'palette' : sample;
      return { key: `kinds.reason.${layout}`, values: { bands, bits } };
    }),
  );
}

/** One band of floats or large integers is elevation (service-facts.md, "File kinds"). */
export function isElevation({ bands, bits, sample, palette }: Samples): boolean {
  return bands === 1 && !palette && (sample === 'float' || bits >= 16);
}

/** Whether the name marks a derived raster, such as a slope, which may look like elevation. */
export function isDerived(key: string): boolean {
  return /(?:^|[^a-z])(?:ndvi|ndwi|ndre|evi|savi|hill_?shade|shaded_?relief|schummerung|slope|aspect)(?:[^a-z]|$)/i.test(
    key.slice(key.lastIndexOf('/') + 1),
  );
}

/**
 * Whether photos come straight from one camera: one model and size in any orientation. Tiles and
 * georeferenced pictures are maps.
 */
export function areOfOneCamera(inspectedFiles: readonly Look[]): boolean {
  const photos = inspectedFiles.flatMap(({ head, sidecarSystemName }) =>
    head?.kind === 'jpeg' ? [{ head, sidecarSystemName }] : [],
  );
  const isMap = photos.some(({ head, sidecarSystemName }) => head.corners || sidecarSystemName !== null);
  const cameras = new Set(photos.map(({ head }) => head.camera));
  const sizes = new Set(photos.map(({ head }) => head.size?.toSorted((a, b) => a - b).join()));
  // Headers of photos with a GPS position have no size.
  if (photos.some(({ head }) => head.hasPosition)) sizes.delete(undefined);
  return !isMap && cameras.size === 1 && !cameras.has(undefined) && sizes.size === 1 && !sizes.has(undefined);
}

/** Includes the version if all files that name one agree. */
export function cityGmlName(heads: readonly GmlHead[]): Phrase {
  const versions = new Set(heads.flatMap(({ version }) => version ?? []));
  return versions.size === 1
    ? { key: 'kinds.cityGmlVersion', values: { version: [...versions][0] ?? '' } }
    : { key: 'kinds.source.CITYGML' };
}

/** `deprecated, replaced by EPSG:2953`. */
export const describeDeprecation = (successor: number | null): Phrase =>
  successor === null
    ? { key: 'kinds.reason.deprecated' }
    : { key: 'kinds.reason.deprecatedFor', values: { successor: `EPSG:${successor}` } };

export function commonest<Value extends PhraseValue>(values: readonly Value[]): Value | null {
  const counts = Map.groupBy(values, (value) => JSON.stringify(value));
  return [...counts.values()].sort((a, b) => b.length - a.length)[0]?.[0] ?? null;
}
