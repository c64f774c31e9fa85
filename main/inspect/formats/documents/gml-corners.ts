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
    const coordinateText =
      tagOffset < 0 ? '' : text.slice(tagOffset + name.length + 1, tagOffset + 200).split('<', 1)[0];
    return numbersIn(coordinateText ?? '');
  });
  const [west = Number.NaN, south = Number.NaN] = lower ?? [];
  const [east = Number.NaN, north = Number.NaN] = upper ?? [];
  return cornersOfBox(west, south, east, north);
}

function boxOfPlaces(text: string): Corners | null {
  const documentDimension = statedDimension(text);
  const extent = new PointExtent();
  for (const [, name, attributes = '', coordinateText = ''] of text.matchAll(positionPattern)) {
    const numbers = numbersIn(coordinateText.replaceAll(',', ' '));
    // GML 2 separates coordinates with commas.
    const tupleDimension =
      name === 'coordinates' ? (coordinateText.trim().split(/\s/, 1)[0] ?? '').split(',').length : null;
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

const numbersIn = (coordinateText: string): readonly number[] =>
  coordinateText
    .trim()
    .split(/\s+/)
    .map((numberText) => (numberText === '' ? Number.NaN : Number(numberText)));
