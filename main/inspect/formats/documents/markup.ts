import { type FileBytes, unlessRefused } from '../base/file-bytes.ts';
import { type Opened, somethingElse, type Verdict } from '../base/format.ts';
import { trimmed } from '../base/texts.ts';
import { type CaptureHead, captureIn } from '../models/capture.ts';
import { headOfCollada, type ModelHead } from '../models/model.ts';
import { type Corners, type NamedSystem, noSystem, systemOfSrsName } from '../systems/coordinate-system.ts';
import { cornersIn } from './gml-places.ts';
import { headOfKml, type KmlHead, longestKml } from './kml.ts';

/** Facts from an XML file that is GML. */
export interface GmlHead extends NamedSystem {
  readonly kind: 'gml';
  readonly isCityGml: boolean;
  /** `2.0`; null without one. */
  readonly version: string | null;
  /** In either axis order. */
  readonly corners?: Corners | null;
  /** Shortened to 100 characters. */
  readonly srsName?: string;
  readonly traits?: readonly CityTrait[];
  /** Levels of detail, if several were seen. */
  readonly lods?: readonly number[];
}

/** `foreign`: neither end names a CityGML namespace. Absences are reported only for files read whole. */
type CityTrait = 'foreign' | 'dtd' | 'no-geometry' | 'only-terrain' | 'no-appearance';

interface Root {
  readonly name: string;
  readonly attributes: string;
  readonly isAlone: boolean;
  readonly hasDtd: boolean;
}

/** Bytes, at each end. */
const reach = 64 * 1024;
/** Up to this size, the ends cover the file and overlap by more than a tag. */
const wholeReach = 2 * reach - 1024;

/** Byte order marks. */
const marks = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff'];

/** Reads XML, GML 2 and 3, CityGML. Doesn't judge other text. */
export async function readMarkup(
  file: FileBytes,
): Promise<Opened<GmlHead | CaptureHead | KmlHead | ModelHead>> {
  const start = await file.first(reach);
  const encoding = encodingOf(start);
  const text = decode(start, encoding);
  const isAll = file.size <= reach;
  const isHalfAMark = marks.some(
    (mark) => mark.length > start.length && mark.startsWith(start.toString('latin1')),
  );
  if (isHalfAMark || text.trim() === '') return { head: null, end: () => (isAll ? 'noEnd' : null) };
  if (!/^\s*<($|[!?\p{L}_:])/u.test(text)) return somethingElse;
  const root = findRoot(text);
  if (root === null) return { head: null, end: () => (isAll ? 'noEnd' : null) };
  const end = () => (root.isAlone ? null : judge(file, root, encoding));
  if (root.name === 'ModelMetadata') return { head: captureIn(withoutComments(text)), end };
  if (root.name === 'COLLADA') return { head: headOfCollada(text), end };
  if (/^(?:\w+:)?kml$/.test(root.name)) {
    const whole = await file.whole(longestKml);
    const head = headOfKml(whole && withoutComments(decode(whole, encoding)));
    return { head, end, ...(whole === null && { degree: 'limit' as const }) };
  }
  const head = headOf(root, text);
  return {
    head: head && { ...head, ...(await traitsOf(file, root, text, encoding)) },
    end,
    ...(head === null && { degree: 'end-only' as const }),
  };
}

/** Positions, or files that contain them. */
const places = /pos|coord|tuple|rangeSet|fileName|pointFile|libraryObject|href/i;
/** Appearances of CityGML 1.0 to 3.0, older textured surfaces, and external models, which have their own. */
const colours = /appearance(?:Member)?[\s>]|TexturedSurface|X3DMaterial|imageURI|libraryObject/i;
const dictionary = /^(?:.*:)?(?:Dictionary|DefinitionCollection|Definition)$/;

/** Reports absences only if both ends cover the file. */
async function traitsOf(
  file: FileBytes,
  { name, hasDtd }: Root,
  head: string,
  encoding: Encoding,
): Promise<Pick<GmlHead, 'traits' | 'lods'>> {
  const tail = file.size > reach ? await unlessRefused(file, tailOf(file, encoding)) : '';
  if (tail === null) return hasDtd ? { traits: ['dtd'] } : {};
  const has = (what: RegExp) => what.test(head) || what.test(tail);
  const plain = [withoutComments(head), withoutComments(fromComment(tail))];
  const lods = [0, 1, 2, 3, 4].filter((lod) => plain.some((part) => ofLod[lod]?.test(part)));
  const traits: CityTrait[] = hasDtd ? ['dtd'] : [];
  if (!has(/citygml/i)) {
    if (!dictionary.test(name)) traits.push('foreign');
  } else if (plain.every((part) => part === '' || terrain.test(part)) && !has(otherObjects)) {
    traits.push('only-terrain');
  } else if (file.size <= wholeReach && !hasDtd) {
    if (!has(places)) traits.push('no-geometry');
    else if (!has(colours)) traits.push('no-appearance');
  }
  return { ...(traits.length > 0 && { traits }), ...(lods.length > 1 && { lods }) };
}

const terrain = /<\/?(?:[\w.-]+:)?(?:ReliefFeature|TINRelief|MassPointRelief|BreaklineRelief)[\s>]/;
const otherObjects =
  /<\/?(?:[\w.-]+:)?(?:(?:Abstract)?(?:Building|Bridge|Tunnel)\w{0,30}|Road|Railway|Square|Track|Section|Waterway|TransportationComplex|WaterBody|LandUse|PlantCover|SolitaryVegetationObject|CityFurniture|Generic\w{1,30}|OtherConstruction|CityObjectGroup)[\s>/]/;

/** Elements such as `bldg:lod2Solid`, but not terrain intersections. */
const ofLod: readonly RegExp[] = [
  /<(?:[\w.-]+:)?lod0(?!TerrainIntersection)[A-Z]/,
  /<(?:[\w.-]+:)?lod1(?!TerrainIntersection)[A-Z]/,
  /<(?:[\w.-]+:)?lod2(?!TerrainIntersection)[A-Z]/,
  /<(?:[\w.-]+:)?lod3(?!TerrainIntersection)[A-Z]/,
  /<(?:[\w.-]+:)?lod4(?!TerrainIntersection)[A-Z]/,
];

/** The part may begin inside a comment. */
function fromComment(part: string): string {
  const close = part.indexOf('-->');
  const open = part.indexOf('<!--');
  return close >= 0 && (open < 0 || close < open) ? part.slice(close) : part;
}

const withoutComments = (text: string): string => text.replace(/<!--[\s\S]*?(?:-->|$)/g, '');

const longestName = 100;

function headOf({ name, attributes }: Root, text: string): GmlHead | null {
  const version = /["']http:\/\/www\.opengis\.net\/citygml\/(\d+\.\d+)["']/.exec(attributes)?.[1];
  const isCityGml = version !== undefined || /^(?:.*:)?CityModel$/.test(name);
  if (!isCityGml && !/opengis\.net\/gml/.test(attributes)) return null;
  const plain = withoutComments(text);
  const named = /\bsrsName\s*=\s*(?:"([^"]+)"|'([^']+)')/.exec(plain);
  const srsName = (named?.[1] ?? named?.[2] ?? '').trim();
  const corners = cornersIn(plain);
  return {
    kind: 'gml',
    ...(corners && { corners }),
    isCityGml,
    version: version ?? null,
    ...(named ? systemOfSrsName(srsName) : noSystem),
    ...(srsName !== '' && { srsName: srsName.slice(0, longestName) }),
  };
}

/** Requires the root's closing tag at the end. */
async function judge(file: FileBytes, { name }: Root, encoding: Encoding): Promise<Verdict> {
  return endsWithTag(withoutMisc(await tailOf(file, encoding)), name) ? null : 'noEnd';
}

async function tailOf(file: FileBytes, encoding: Encoding): Promise<string> {
  const tail = await file.last(reach);
  // UTF-16 starts at an even offset.
  return decode(encoding === 'utf8' ? tail : tail.subarray(file.size % 2), encoding);
}

type Encoding = 'utf8' | 'le' | 'be';

function encodingOf(head: Buffer): Encoding {
  const mark = head.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === '3c00') return 'le';
  return mark === 'feff' || mark === '003c' ? 'be' : 'utf8';
}

function decode(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'utf8') return bytes.toString('utf8').replace(/^\ufeff/, '');
  const even = bytes.subarray(0, bytes.length & ~1);
  const text = (encoding === 'le' ? even : Buffer.from(even).swap16()).toString('utf16le');
  return text.replace(/^\ufeff/, '');
}

/** Null if the start tag is incomplete. */
function findRoot(text: string): Root | null {
  let at = 0;
  let hasDtd = false;
  for (;;) {
    at = text.indexOf('<', at);
    if (at < 0) return null;
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = after(text, '?>', at + 2);
    else if (text.startsWith('<!', at)) {
      hasDtd ||= text.startsWith('<!DOCTYPE', at);
      at = afterDoctype(text, at);
    } else break;
    if (at < 0) return null;
  }
  let quote = '';
  for (let end = at + 1; end < text.length; end++) {
    const sign = text[end] ?? '';
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') {
      const name = text.slice(at + 1, Math.min(end, at + 300)).split(/[\s/>]/, 1)[0] ?? '';
      const attributes = text.slice(at + 1 + name.length, end);
      return { name, attributes, isAlone: attributes.endsWith('/'), hasDtd };
    }
  }
  return null;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

function afterDoctype(text: string, from: number): number {
  const end = text.indexOf('>', from);
  const inner = text.indexOf('[', from);
  if (inner < 0 || (end >= 0 && end < inner)) return end < 0 ? -1 : end + 1;
  const close = after(text, ']', inner);
  return close < 0 ? -1 : after(text, '>', close);
}

function withoutMisc(text: string): string {
  let end = trimmed(text);
  for (;;) {
    const open = end.endsWith('-->')
      ? end.lastIndexOf('<!--')
      : end.endsWith('?>')
        ? end.lastIndexOf('<?')
        : -1;
    if (open < 0) return end;
    end = trimmed(end.slice(0, open));
  }
}

function endsWithTag(text: string, name: string): boolean {
  if (!text.endsWith('>')) return false;
  return trimmed(text.slice(0, -1)).endsWith(`</${name}`);
}
