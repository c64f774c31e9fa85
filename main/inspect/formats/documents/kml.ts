import type { Corners, NamedSystem } from '../systems/coordinate-system.ts';
import { PointExtent } from '../systems/extent.ts';

/** Facts from a KML document (OGC KML 2.3). */
export interface KmlHead extends NamedSystem {
  readonly kind: 'kml';
  /** Models (which the service tiles) or else the first kind present; null if too long. */
  readonly content: KmlContent | null;
  /** Absent without coordinates. */
  readonly corners?: Corners;
}

export type KmlContent = 'models' | 'overlays' | 'shapes' | 'links' | 'nothing';

/** Bytes; longer documents aren't read. */
export const maxKmlLength = 4 * 1024 * 1024;

const contentPatterns: readonly (readonly [KmlContent, RegExp])[] = [
  ['models', /<(?:\w{1,20}:)?Model[\s>]/],
  ['overlays', /<(?:\w{1,20}:)?(?:Ground|Photo|Screen)Overlay[\s>]/],
  ['shapes', /<(?:\w{1,20}:)?(?:Point|LineString|LinearRing|Polygon|Track)[\s>]/],
  ['links', /<(?:\w{1,20}:)?NetworkLink[\s>]/],
];

/** `text`: the document without comments; null if too long. */
export function headOfKml(text: string | null): KmlHead {
  const head = { kind: 'kml', system: 'EPSG:4326', vertical: null } as const;
  if (text === null) return { ...head, content: null };
  const content = contentPatterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'nothing';
  const corners = cornersIn(text);
  return { ...head, content, ...(corners && { corners }) };
}

/** The first ones locate a document well enough. */
const maxBoxes = 1_000;

/** Coordinate lists, overlay edges and model origins; otherwise the view. */
function cornersIn(text: string): Corners | null {
  const extent = new PointExtent();
  const viewExtent = new PointExtent();
  for (const coordinateList of textsOf(text, 'coordinates'))
    for (const [coordinateText] of coordinateList.matchAll(/\S+/g))
      extent.add(...parsePair(coordinateText.split(',', 2)));
  for (const coordinateText of textsOf(text, 'coord'))
    extent.add(...parsePair(coordinateText.trim().split(/\s+/)));
  for (const name of ['LatLonBox', 'LatLonAltBox'])
    for (const boxElement of textsOf(text, name, maxBoxes)) {
      extent.add(...parsePair([textIn(boxElement, 'west'), textIn(boxElement, 'south')]));
      extent.add(...parsePair([textIn(boxElement, 'east'), textIn(boxElement, 'north')]));
    }
  for (const name of ['Location', 'LookAt', 'Camera'])
    for (const placeElement of textsOf(text, name, maxBoxes))
      (name === 'Location' ? extent : viewExtent).add(
        ...parsePair([textIn(placeElement, 'longitude'), textIn(placeElement, 'latitude')]),
      );
  return extent.corners ?? viewExtent.corners;
}

const parsePair = (coordinateWords: readonly (string | undefined)[]): readonly [number, number] => {
  const [x, y] = coordinateWords.map((numberText) => (numberText?.trim() ? Number(numberText) : Number.NaN));
  return [x ?? Number.NaN, y ?? Number.NaN];
};

const maxBoxLength = 1_000;

const textIn = (text: string, name: string): string | undefined =>
  textsOf(text.slice(0, maxBoxLength), name).next().value ?? undefined;

/** Contents of the first `limit` elements, with any prefix. */
function* textsOf(
  text: string,
  name: string,
  limit = Number.POSITIVE_INFINITY,
): Generator<string, undefined> {
  const tagEnd = `${name}>`;
  let count = 0;
  for (
    let searchOffset = text.indexOf(tagEnd);
    searchOffset >= 0 && count < limit;
    searchOffset = text.indexOf(tagEnd, searchOffset)
  ) {
    const textStart = searchOffset + tagEnd.length;
    searchOffset = textStart;
    if (!isOpeningTag(text, textStart - tagEnd.length)) continue;
    const endOffset = text.indexOf(tagEnd, textStart);
    if (endOffset < 0) break;
    count += 1;
    yield text.slice(textStart, text.lastIndexOf('<', endOffset));
    searchOffset = endOffset + tagEnd.length;
  }
}

const maxPrefixLength = 20;

/** Whether the name here follows `<`, with or without a prefix. */
function isOpeningTag(text: string, nameOffset: number): boolean {
  if (text[nameOffset - 1] === '<') return true;
  if (text[nameOffset - 1] !== ':') return false;
  for (let prefixOffset = nameOffset - 2; prefixOffset >= nameOffset - maxPrefixLength; prefixOffset--) {
    const character = text[prefixOffset];
    if (character === '<') return true;
    if (character === undefined || character === '/' || character === '>') return false;
  }
  return false;
}
