import type { Extent, LonLat, SourceView } from '../../../../preload/contract.ts';
import { saidSystem } from '../../../../shared/source.ts';
import { formatFacts, formatList, say, sayValue } from '../../../say.ts';
import { countryName, regionOf } from '../../../words/countries.ts';
import { kindWithin } from '../../../words/kinds.ts';

/** Further facts for the summary; null until loaded. */
interface KnownFacts {
  /** Name of the commonest coordinate system: `ETRS89 / UTM zone 32N`. */
  readonly systemName: string | null;
  readonly countries: readonly (string | null)[] | null;
  /** The nearest one. */
  readonly town: string | null;
}

interface Uploaded {
  readonly fileCount: number;
  readonly kinds: readonly string[];
}

/**
 * `400 files · EPSG:25832, ETRS89 / UTM zone 32N · 20 × 20 km, near Wunstorf, Germany`, for several kinds
 * `105 files: imagery and point cloud · …`; empty before inspection.
 */
export function describeSummary(
  { seen: facts }: Pick<SourceView, 'seen'>,
  { fileCount, kinds }: Uploaded,
  context: KnownFacts,
): string {
  if (!facts || facts.looked === 0) return '';
  const { systems, placed: placedCount, extent } = facts;
  const [commonest, ...otherSystems] = systems;
  const files = say('units.files', { count: fileCount });
  const kindNames = formatList(kinds.map(kindWithin));
  const parts = [kinds.length > 1 ? say('newAsset.summary.kinds', { files, kinds: kindNames }) : files];
  if (commonest) {
    const system =
      context.systemName === null
        ? sayValue(saidSystem(commonest.system))
        : say('newAsset.summary.system', { code: commonest.system, name: context.systemName });
    parts.push(
      otherSystems.length === 0
        ? system
        : say('newAsset.summary.moreSystems', { system, count: otherSystems.length }),
    );
  }
  if (placedCount > 0 && extent) parts.push(describePlace(extent, context));
  // A partly read file may still hold a position.
  else if (facts.state !== 'looking' && facts.degrees.every(({ degree }) => degree === 'read'))
    parts.push(say('newAsset.summary.unplaced'));
  return formatFacts(parts);
}

/** The code that identifies a system's name: `EPSG:25832 + EPSG:7837` → 25832. */
export function systemCode(system: string | undefined): number | null {
  const code = /^EPSG:(\d{1,6})/.exec(system ?? '')?.[1];
  return code === undefined ? null : Number(code);
}

const maxPlaces = 40;

/** An even sample of the files' positions, enough to determine the countries. */
export function placesOf({
  footprints,
  density,
}: Pick<SourceView, 'footprints' | 'density'>): readonly LonLat[] {
  const positions: readonly LonLat[] = density
    ? density.cells.map(([west, south]) => [west + density.size / 2, south + density.size / 2])
    : footprints.map(({ ring }) => middleOf(ring));
  const step = Math.max(1, positions.length / maxPlaces);
  return Array.from(
    { length: Math.min(positions.length, maxPlaces) },
    (_, index) => positions[Math.floor(index * step)] ?? [0, 0],
  );
}

/** Uses a corner if the date line cuts the ring. */
function middleOf(ring: readonly LonLat[]): LonLat {
  const [corner = [0, 0] as const] = ring;
  const corners = ring.length > 1 ? ring.slice(1) : ring;
  if (corners.some(([lon]) => Math.abs(lon - corner[0]) > 180)) return corner;
  const sum = (axis: 0 | 1) => corners.reduce((total, corner) => total + corner[axis] / corners.length, 0);
  return corners.length === 0 ? corner : [sum(0), sum(1)];
}

/** One town says nothing about data that extends farther, metres. */
const maxTownExtent = 50_000;

function describePlace(extent: Extent, { countries, town }: KnownFacts): string {
  const sides = sidesOf(extent);
  const size = describeSize(sides);
  const country = countries && describeCountries(countries);
  const isLocal = Math.max(sides.width, sides.height) <= maxTownExtent;
  const place = town !== null && isLocal ? describeTown(town, countries?.length ? country : null) : country;
  if (size === null) return place ?? say('newAsset.summary.oneSpot');
  return place === null ? size : say('newAsset.summary.sizeIn', { size, place });
}

const degreeMetres = 111_195;

/** Metres. */
function sidesOf({ west, south, east, north }: Extent) {
  const degrees = east >= west ? east - west : east - west + 360;
  return {
    width: degrees * degreeMetres * Math.cos((((south + north) / 2) * Math.PI) / 180),
    height: (north - south) * degreeMetres,
  };
}

/** Null below one metre. */
function describeSize({ width, height }: ReturnType<typeof sidesOf>): string | null {
  const longerSide = Math.max(width, height);
  if (longerSide < 1) return null;
  const unit = longerSide >= 1000 ? 1000 : 1;
  const roundMetres = (metres: number) => Number((metres / unit).toPrecision(2));
  const sides = { width: roundMetres(width), height: roundMetres(height) };
  return say(unit === 1000 ? 'newAsset.summary.kilometres' : 'newAsset.summary.metres', sides);
}

const describeTown = (town: string, country: string | null): string =>
  country === null
    ? say('newAsset.summary.near', { town })
    : say('newAsset.summary.nearIn', { town, country });

const maxNamed = 3;

/** Null if no country has a name. */
function describeCountries(countries: readonly (string | null)[]): string | null {
  if (countries.length === 0) return say('newAsset.summary.noCountry');
  const names = countries.flatMap((id) => countryName(id) ?? []);
  if (names.length === 0) return null;
  return names.length > maxNamed
    ? say('newAsset.summary.countries', { count: names.length })
    : formatList(names);
}

const maxLikely = 3;
const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/**
 * Initial search terms for coordinate systems: codes of the other files, then the country in English, like
 * the EPSG dataset's areas.
 */
export function searchWords(
  { seen: facts }: Pick<SourceView, 'seen'>,
  countries: readonly (string | null)[],
): readonly string[] {
  const codes = (facts?.systems ?? []).flatMap(({ system }) => systemCode(system) ?? []);
  const [countryId = null] = countries;
  const region = regionOf(countryId);
  const country = region === undefined ? undefined : english.of(region);
  const words = [...new Set(codes)].slice(0, maxLikely).map((code) => `EPSG:${code}`);
  return country === undefined ? words : [...words, country];
}
