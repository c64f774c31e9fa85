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
export const longestKml = 4 * 1024 * 1024;

const contents: readonly (readonly [KmlContent, RegExp])[] = [
  ['models', /<(?:\w{1,20}:)?Model[\s>]/],
  ['overlays', /<(?:\w{1,20}:)?(?:Ground|Photo|Screen)Overlay[\s>]/],
  ['shapes', /<(?:\w{1,20}:)?(?:Point|LineString|LinearRing|Polygon|Track)[\s>]/],
  ['links', /<(?:\w{1,20}:)?NetworkLink[\s>]/],
];

/** `text`: the document without comments; null if too long. */
export function headOfKml(text: string | null): KmlHead {
  const head = { kind: 'kml', system: 'EPSG:4326', vertical: null } as const;
  if (text === null) return { ...head, content: null };
  const content = contents.find(([, pattern]) => pattern.test(text))?.[0] ?? 'nothing';
  const corners = cornersIn(text);
  return { ...head, content, ...(corners && { corners }) };
}

/** The first ones locate a document well enough. */
const maxBoxes = 1_000;

/** Coordinate lists, overlay edges and model origins; otherwise the view. */
function cornersIn(text: string): Corners | null {
  const extent = new PointExtent();
  const view = new PointExtent();
  for (const places of textsOf(text, 'coordinates'))
    for (const [place] of places.matchAll(/\S+/g)) extent.add(...pairOf(place.split(',', 2)));
  for (const place of textsOf(text, 'coord')) extent.add(...pairOf(place.trim().split(/\s+/)));
  for (const name of ['LatLonBox', 'LatLonAltBox'])
    for (const box of textsOf(text, name, maxBoxes)) {
      extent.add(...pairOf([textIn(box, 'west'), textIn(box, 'south')]));
      extent.add(...pairOf([textIn(box, 'east'), textIn(box, 'north')]));
    }
  for (const name of ['Location', 'LookAt', 'Camera'])
    for (const place of textsOf(text, name, maxBoxes))
      (name === 'Location' ? extent : view).add(
        ...pairOf([textIn(place, 'longitude'), textIn(place, 'latitude')]),
      );
  return extent.corners ?? view.corners;
}

const pairOf = (words: readonly (string | undefined)[]): readonly [number, number] => {
  const [x, y] = words.map((word) => (word?.trim() ? Number(word) : Number.NaN));
  return [x ?? Number.NaN, y ?? Number.NaN];
};

const longestBox = 1_000;

const textIn = (text: string, name: string): string | undefined =>
  textsOf(text.slice(0, longestBox), name).next().value ?? undefined;

/** Contents of the first `most` elements, with any prefix. */
function* textsOf(text: string, name: string, most = Number.POSITIVE_INFINITY): Generator<string, undefined> {
  const mark = `${name}>`;
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count < most; at = text.indexOf(mark, at)) {
    const from = at + mark.length;
    at = from;
    if (!opensTag(text, from - mark.length)) continue;
    const end = text.indexOf(mark, from);
    if (end < 0) break;
    count += 1;
    yield text.slice(from, text.lastIndexOf('<', end));
    at = end + mark.length;
  }
}

const longestPrefix = 20;

/** Whether the name here follows `<`, with or without a prefix. */
function opensTag(text: string, at: number): boolean {
  if (text[at - 1] === '<') return true;
  if (text[at - 1] !== ':') return false;
  for (let from = at - 2; from >= at - longestPrefix; from--) {
    const sign = text[from];
    if (sign === '<') return true;
    if (sign === undefined || sign === '/' || sign === '>') return false;
  }
  return false;
}
