import { geoContains, geoDistance } from 'd3-geo';
import type { MultiPolygon, Polygon } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { LonLat } from '../../../shared/source.ts';
import type { World } from './map-model.ts';

interface Country {
  /** ISO 3166-1 numeric: `276`; null for territories without a number, which have no translated name. */
  readonly id: string | null;
  readonly shape: Polygon | MultiPolygon;
  /** Degrees; the atlas cuts shapes at the date line. */
  readonly box: Readonly<Record<'west' | 'south' | 'east' | 'north', number>>;
}

interface Town {
  readonly name: string;
  readonly place: LonLat;
}

export interface Atlas extends World {
  readonly countries: readonly Country[];
  /** The largest first. */
  readonly towns: readonly Town[];
}

/**
 * @param text topology of countries and land in the format of world-atlas
 * @param townLines a town each, the largest first: name, longitude and latitude, separated by tabs
 */
export function readAtlas(text: string, townLines: string): Atlas {
  const topology: Topology<{ countries: GeometryCollection; land: GeometryCollection }> = JSON.parse(text);
  const { countries, land } = topology.objects;
  const polygons = feature(topology, land).features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : [],
  );
  return {
    land: { type: 'MultiPolygon', coordinates: polygons } satisfies MultiPolygon,
    borders: mesh(topology, countries, (a, b) => a !== b),
    countries: feature(topology, countries).features.flatMap(({ id, geometry }) =>
      geometry.type === 'Polygon' || geometry.type === 'MultiPolygon'
        ? [{ id: id === undefined ? null : String(id), shape: geometry, box: boxOf(geometry) }]
        : [],
    ),
    towns: townLines.split('\n').map((line) => {
      const [name = '', lon, lat] = line.split('\t');
      return { name, place: [Number(lon), Number(lat)] };
    }),
  };
}

function boxOf(shape: Polygon | MultiPolygon): Country['box'] {
  const box = { west: 180, south: 90, east: -180, north: -90 };
  const polygonRings = shape.type === 'Polygon' ? shape.coordinates : shape.coordinates.flat();
  for (const [lon = 0, lat = 0] of polygonRings.flat()) {
    box.west = Math.min(box.west, lon);
    box.east = Math.max(box.east, lon);
    box.south = Math.min(box.south, lat);
    box.north = Math.max(box.north, lat);
  }
  return box;
}

/** A smaller share of positions is probably a neighbour's border. */
const leastShare = 0.1;

/**
 * Countries of the positions, the most frequent first; null for all without a number. Ignores positions at
 * sea, and on coasts that the atlas simplifies.
 */
export function countriesAt(
  places: readonly LonLat[],
  countries: readonly Country[],
): readonly (string | null)[] {
  const counts = new Map<string | null, number>();
  for (const [lon, lat] of places) {
    const country = countries.find(
      ({ box, shape }) =>
        lon >= box.west &&
        lon <= box.east &&
        lat >= box.south &&
        lat <= box.north &&
        geoContains(shape, [lon, lat]),
    );
    if (country) counts.set(country.id, (counts.get(country.id) ?? 0) + 1);
  }
  const onLand = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .filter(([, count]) => count >= onLand * leastShare)
    .sort(([, a], [, b]) => b - a)
    .map(([id]) => id);
}

/** About 25 km, radians: a town farther away says little. */
const maxTownDistance = 25_000 / 6_371_000;

/** The name of the nearest town; null without one within 25 km. */
export function townAt([lon, lat]: LonLat, towns: Atlas['towns']): string | null {
  let nearest: { readonly name: string | null; readonly distance: number } = {
    name: null,
    distance: maxTownDistance,
  };
  for (const { name, place } of towns) {
    const distance = geoDistance([...place], [lon, lat]);
    if (distance <= nearest.distance) nearest = { name, distance };
  }
  return nearest.name;
}
