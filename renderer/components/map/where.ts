import type { LonLat } from '../../../shared/source.ts';
import { countriesAt, townAt } from './atlas.ts';
import { loadWorld } from './world.ts';

export function findCountries(places: readonly LonLat[]): readonly (string | null)[] {
  return countriesAt(places, loadWorld().countries);
}

/** The town nearest to the middle of the positions; null without one within 25 km. */
export function findTown(places: readonly LonLat[]): string | null {
  const middle = places[places.length >> 1];
  return middle ? townAt(middle, loadWorld().towns) : null;
}
