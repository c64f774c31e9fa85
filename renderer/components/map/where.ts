import type { LonLat } from '../../../shared/source.ts';

/**
 * The countries in which places lie, as `countriesAt` gives them. The atlas is loaded for it, once, with what
 * the map is made of.
 */
export async function findCountries(places: readonly LonLat[]): Promise<readonly (string | null)[]> {
  if (places.length === 0) return [];
  const [{ countriesAt }, { loadWorld }] = await Promise.all([import('./atlas.ts'), import('./world.ts')]);
  return countriesAt(places, loadWorld().countries);
}
