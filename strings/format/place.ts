import type { Voice } from '../say.ts';

/** Degrees. West exceeds east across the date line. */
interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** A coordinate system's area of use. */
export interface Area {
  /** EPSG's English description. */
  readonly text: string;
  readonly bounds: Bounds;
}

/** Places on Earth. */
export function placeFormats({ say, perSpeech }: Voice) {
  const numbers = perSpeech(({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }));
  const isEnglish = perSpeech(({ locale }) => locale.startsWith('en'));
  const latitude = (value: number) => say('units.latitude', sided(value));
  const longitude = (value: number) => say('units.longitude', sided(value));
  const sided = (value: number) => ({
    degrees: numbers().format(Math.abs(value)),
    side: value < 0 ? 'negative' : 'positive',
  });

  /** `38.76° N to 84.33° N, 6° E to 12.01° E`. */
  const formatExtent = ({ west, south, east, north }: Bounds): string =>
    say('units.extent', {
      south: latitude(south),
      north: latitude(north),
      west: longitude(west),
      east: longitude(east),
    });

  return {
    formatExtent,
    /** Other languages than English get the extent. */
    formatArea: ({ text, bounds }: Area): string => (isEnglish() ? text : formatExtent(bounds)),
  };
}
