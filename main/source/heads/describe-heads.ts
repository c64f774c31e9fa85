import { formatList } from '../../../strings/format/list.ts';
import { say } from '../../../strings/say.ts';
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
export function describeSamples(heads: readonly TiffHead[]): string | null {
  return commonest(
    heads.map(({ bands, bits, sample, palette }) => {
      const layout = palette ? 'palette' : sample;
      return say(`kinds.reason.${layout}`, { bands, bits });
    }),
  );
}

/** One band of floats or of whole numbers too large for a picture: heights. service-facts.md, "raster elevation". */
export function isElevation({ bands, bits, sample, palette }: TiffHead): boolean {
  return bands === 1 && !palette && (sample === 'float' || bits >= 16);
}

/** `CityGML 2.0` where all that name a version name that one. */
export function cityGmlName(heads: readonly GmlHead[]): string {
  const versions = new Set(heads.flatMap(({ version }) => version ?? []));
  return versions.size === 1
    ? say('kinds.cityGmlVersion', { version: [...versions][0] ?? '' })
    : say('kinds.source.CITYGML');
}

/** `EPSG:25832`, `EPSG:25832 and EPSG:25833`, `4 coordinate systems`; null where none names one. */
export function describeSystems(heads: readonly { readonly system: string | null }[]): string | null {
  const systems = [...new Set(heads.flatMap(({ system }) => system ?? []))].sort();
  if (systems.length === 0) return null;
  return systems.length < 3 ? formatList(systems) : say('kinds.reason.systems', { count: systems.length });
}

export function commonest(words: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
