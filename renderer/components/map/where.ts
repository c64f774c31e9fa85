import type { LonLat } from '../../../shared/source.ts';
import { countriesAt } from './atlas.ts';
import { loadWorld } from './world.ts';

/** Countries of positions, as in `countriesAt`. */
export function findCountries(places: readonly LonLat[]): readonly (string | null)[] {
  return countriesAt(places, loadWorld().countries);
}
