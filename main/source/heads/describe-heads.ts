import type { Phrase, PhraseValue } from '../../../strings/phrase.ts';
import type { GmlHead } from './gml-head.ts';
import type { Head } from './head.ts';
import type { Look } from './look-inside.ts';
import type { TiffHead } from './tiff-head.ts';

/** Of one kind, those that could be read. */
export function headsOf<Kind extends Head['kind']>(
  looks: readonly Look[],
  kind: Kind,
): readonly Extract<Head, { kind: Kind }>[] {
  return looks.flatMap(({ head }) => (head?.kind === kind ? [head as Extract<Head, { kind: Kind }>] : []));
}

/** `1 band of 32-bit floats`, `3 bands of 8 bits`; the commonest of them. */
export function describeSamples(heads: readonly TiffHead[]): Phrase | null {
  return commonest(
    heads.map(({ bands, bits, sample, palette }) => {
      const layout = palette ? 'palette' : sample;
      return { key: `kinds.reason.${layout}`, values: { bands, bits } };
    }),
  );
}

/** One band of floats or of whole numbers too large for a picture: heights. service-facts.md, "raster elevation". */
export function isElevation({ bands, bits, sample, palette }: TiffHead): boolean {
  return bands === 1 && !palette && (sample === 'float' || bits >= 16);
}

/** `CityGML 2.0` where all that name a version name that one. */
export function cityGmlName(heads: readonly GmlHead[]): Phrase {
  const versions = new Set(heads.flatMap(({ version }) => version ?? []));
  return versions.size === 1
    ? { key: 'kinds.cityGmlVersion', values: { version: [...versions][0] ?? '' } }
    : { key: 'kinds.source.CITYGML' };
}

/** `EPSG:25832`, `EPSG:25832 and EPSG:25833`, `4 coordinate systems`; null where none names one. */
export function describeSystems(heads: readonly { readonly system: string | null }[]): PhraseValue | null {
  const systems = [...new Set(heads.flatMap(({ system }) => system ?? []))].sort();
  if (systems.length === 0) return null;
  return systems.length < 3
    ? { list: systems }
    : { key: 'kinds.reason.systems', values: { count: systems.length } };
}

export function commonest<Value extends PhraseValue>(values: readonly Value[]): Value | null {
  const counts = Map.groupBy(values, (value) => JSON.stringify(value));
  return [...counts.values()].sort((a, b) => b.length - a.length)[0]?.[0] ?? null;
}
