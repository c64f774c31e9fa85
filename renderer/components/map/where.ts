import type { LonLat } from '../../../shared/source.ts';
import { countriesAt } from './atlas.ts';
import { loadWorld } from './world.ts';

export function findCountries(places: readonly LonLat[]): readonly (string | null)[] {
  return countriesAt(places, loadWorld().countries);
}
