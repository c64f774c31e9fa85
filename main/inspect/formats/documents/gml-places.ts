import { type Corners, cornersOfBox } from '../systems/coordinate-system.ts';
import { PointExtent } from '../systems/extent.ts';

const place = /<(?:[\w.-]+:)?(posList|pos|coordinates)(?=[\s>])([^<>]{0,300})>([^<]*)(?=<)/g;
/** Shared geometry, relative to each object. */
const relative =
  /<(?:[\w.-]+:)?relative(?:GML)?Geometry(?:\s[^<>]{0,300})?(?<!\/)>[\s\S]*?(?:<\/(?:[\w.-]+:)?relative(?:GML)?Geometry>|$)/g;
const dimensionIn = (text: string): number => Number(/\bsrsDimension\s*=\s*["']([23])["']/.exec(text)?.[1]);

/**
 * Returns the first envelope, otherwise the box of all positions, in the file's axis order. `text`: without
 * comments.
 */
export function cornersIn(text: string): Corners | null {
  return envelopeIn(text) ?? boxOfPlaces(text.replace(relative, ''));
}

function envelopeIn(text: string): Corners | null {
  const [lower, upper] = ['lowerCorner', 'upperCorner'].map((name) => {
    const at = text.indexOf(`${name}>`);
    const words = at < 0 ? '' : text.slice(at + name.length + 1, at + 200).split('<', 1)[0];
    return numbersIn(words ?? '');
  });
  const [west = Number.NaN, south = Number.NaN] = lower ?? [];
  const [east = Number.NaN, north = Number.NaN] = upper ?? [];
  return cornersOfBox(west, south, east, north);
}

function boxOfPlaces(text: string): Corners | null {
  const usual = dimensionIn(text);
  const extent = new PointExtent();
  for (const [, name, attributes = '', words = ''] of text.matchAll(place)) {
    const numbers = numbersIn(words.replaceAll(',', ' '));
    // GML 2 separates coordinates with commas.
    const said = name === 'coordinates' ? (words.trim().split(/\s/, 1)[0] ?? '').split(',').length : null;
    const dimension = said ?? (dimensionIn(attributes) || usual || (numbers.length % 3 === 0 ? 3 : 2));
    if (dimension < 2) continue;
    for (let at = 0; at + 1 < numbers.length; at += dimension) {
      const [x, y] = [numbers[at], numbers[at + 1]];
      if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
      extent.add(x, y);
    }
  }
  return extent.corners;
}

const numbersIn = (words: string): readonly number[] =>
  words
    .trim()
    .split(/\s+/)
    .map((word) => (word === '' ? Number.NaN : Number(word)));
