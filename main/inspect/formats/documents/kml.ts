import type { Corners, NamedSystem } from '../systems/coordinate-system.ts';
import { PointExtent } from '../systems/extent.ts';

/** What a KML document holds (OGC KML 2.3). */
export interface KmlHead extends NamedSystem {
  readonly kind: 'kml';
  /** What the service could tile of it, or else what it holds most of; null if it is too long to be read. */
  readonly content: KmlContent | null;
  /** Absent without coordinates. */
  readonly corners?: Corners;
}

export type KmlContent = 'models' | 'overlays' | 'shapes' | 'links' | 'nothing';

/** Longer documents aren't read, bytes. */
export const longestKml = 4 * 1024 * 1024;

const contents: readonly (readonly [KmlContent, RegExp])[] = [
  ['models', /<(?:\w{1,20}:)?Model[\s>]/],
  ['overlays', /<(?:\w{1,20}:)?(?:Ground|Photo|Screen)Overlay[\s>]/],
  ['shapes', /<(?:\w{1,20}:)?(?:Point|LineString|LinearRing|Polygon|Track)[\s>]/],
  ['links', /<(?:\w{1,20}:)?NetworkLink[\s>]/],
];

/** @param text all of the document without its comments; null if it is too long */
export function headOfKml(text: string | null): KmlHead {
  const head = { kind: 'kml', system: 'EPSG:4326', vertical: null } as const;
  if (text === null) return { ...head, content: null };
  const content = contents.find(([, pattern]) => pattern.test(text))?.[0] ?? 'nothing';
  const corners = cornersIn(text);
  return { ...head, content, ...(corners && { corners }) };
}

/** Boxes and places that are read of a document; of more, the first say about where it lies. */
const maxBoxes = 1_000;

/** Lists of places, edges of overlays, origins of models; the view onto it only without any of these. */
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

/** NaN for a word that isn't a number, and for none. */
const pairOf = (words: readonly (string | undefined)[]): readonly [number, number] => {
  const [x, y] = words.map((word) => (word?.trim() ? Number(word) : Number.NaN));
  return [x ?? Number.NaN, y ?? Number.NaN];
};

/** Characters of a box or place that are read. */
const longestBox = 1_000;

const textIn = (text: string, name: string): string | undefined =>
  textsOf(text.slice(0, longestBox), name).next().value ?? undefined;

/** What stands between the first `most` pairs of tags of this name, whatever their prefix. */
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

/** Whether the name at this place follows an opening bracket, with or without a prefix. */
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
