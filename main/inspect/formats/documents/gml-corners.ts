import { type Corners, cornersOfBox } from '../systems/coordinate-system.ts';
import { PointExtent } from '../systems/extent.ts';

const positionPattern = /<(?:[\w.-]+:)?(posList|pos|coordinates)(?=[\s>])([^<>]{0,300})>([^<]*)(?=<)/g;
/** Shared geometry, relative to each object. */
const relativeGeometry =
  /<(?:[\w.-]+:)?relative(?:GML)?Geometry(?:\s[^<>]{0,300})?(?<!\/)>[\s\S]*?(?:<\/(?:[\w.-]+:)?relative(?:GML)?Geometry>|$)/g;
const statedDimension = (text: string): number =>
  Number(/\bsrsDimension\s*=\s*["']([23])["']/.exec(text)?.[1]);

/**
 * Returns the first envelope, otherwise the box of all positions, in the file's axis order. `text`: without
 * comments.
 */
export function cornersIn(text: string): Corners | null {
  return envelopeIn(text) ?? boxOfPlaces(text.replace(relativeGeometry, ''));
}

function envelopeIn(text: string): Corners | null {
  const [lower, upper] = ['lowerCorner', 'upperCorner'].map((name) => {
    const tagOffset = text.indexOf(`${name}>`);
    const words =
      tagOffset < 0 ? '' : text.slice(tagOffset + name.length + 1, tagOffset + 200).split('<', 1)[0];
    return numbersIn(words ?? '');
  });
  const [west = Number.NaN, south = Number.NaN] = lower ?? [];
  const [east = Number.NaN, north = Number.NaN] = upper ?? [];
  return cornersOfBox(west, south, east, north);
}

function boxOfPlaces(text: string): Corners | null {
  const documentDimension = statedDimension(text);
  const extent = new PointExtent();
  for (const [, name, attributes = '', words = ''] of text.matchAll(positionPattern)) {
    const numbers = numbersIn(words.replaceAll(',', ' '));
    // GML 2 separates coordinates with commas.
    const tupleDimension =
      name === 'coordinates' ? (words.trim().split(/\s/, 1)[0] ?? '').split(',').length : null;
    const dimension =
      tupleDimension ??
      (statedDimension(attributes) || documentDimension || (numbers.length % 3 === 0 ? 3 : 2));
    if (dimension < 2) continue;
    for (let index = 0; index + 1 < numbers.length; index += dimension) {
      const [x, y] = [numbers[index], numbers[index + 1]];
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
