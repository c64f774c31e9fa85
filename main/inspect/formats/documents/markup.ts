import { type FileBytes, unlessRefused } from '../base/file-bytes.ts';
import { type Opened, unrecognizedFile, type Verdict } from '../base/format.ts';
import { trimEndPadding } from '../base/texts.ts';
import { type CaptureHead, captureIn } from '../models/capture.ts';
import { headOfCollada, type ModelHead } from '../models/model.ts';
import { type Corners, type NamedSystem, noSystem, systemOfSrsName } from '../systems/coordinate-system.ts';
import { cornersIn } from './gml-corners.ts';
import { headOfKml, type KmlHead, maxKmlLength } from './kml.ts';

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
  readonly isSelfClosing: boolean;
  readonly hasDtd: boolean;
}

/** Bytes, at each end. */
const probeLength = 64 * 1024;
/** Up to this size, the ends cover the file and overlap by more than a tag. */
const maxWholeLength = 2 * probeLength - 1024;

const byteOrderMarks = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff'];

/** Reads XML, GML 2 and 3, CityGML. Doesn't judge other text. */
export async function readMarkup(
  file: FileBytes,
): Promise<Opened<GmlHead | CaptureHead | KmlHead | ModelHead>> {
  const start = await file.readStart(probeLength);
  const encoding = encodingOf(start);
  const text = decode(start, encoding);
  const isWhole = file.size <= probeLength;
  const isPartialMark = byteOrderMarks.some(
    (byteOrderMark) =>
      byteOrderMark.length > start.length && byteOrderMark.startsWith(start.toString('latin1')),
  );
  if (isPartialMark || text.trim() === '') return { head: null, end: () => (isWhole ? 'noEnd' : null) };
  if (!/^\s*<($|[!?\p{L}_:])/u.test(text)) return unrecognizedFile;
  const root = findRoot(text);
  if (root === null) return { head: null, end: () => (isWhole ? 'noEnd' : null) };
  const checkEnd = () => (root.isSelfClosing ? null : checkRootEnd(file, root, encoding));
  if (root.name === 'ModelMetadata') return { head: captureIn(withoutComments(text)), end: checkEnd };
  if (root.name === 'COLLADA') return { head: headOfCollada(text), end: checkEnd };
  if (/^(?:\w+:)?kml$/.test(root.name)) {
    const wholeFile = await file.readWhole(maxKmlLength);
    const head = headOfKml(wholeFile && withoutComments(decode(wholeFile, encoding)));
    return { head, end: checkEnd, ...(wholeFile === null && { degree: 'limit' as const }) };
  }
  const head = headOf(root, text);
  return {
    head: head && { ...head, ...(await traitsOf(file, root, text, encoding)) },
    end: checkEnd,
    ...(head === null && { degree: 'end-only' as const }),
  };
}

/** Positions, or files that contain them. */
const positionPattern = /pos|coord|tuple|rangeSet|fileName|pointFile|libraryObject|href/i;
/** Appearances of CityGML 1.0 to 3.0, older textured surfaces, and external models, which have their own. */
const appearancePattern = /appearance(?:Member)?[\s>]|TexturedSurface|X3DMaterial|imageURI|libraryObject/i;
const dictionaryRoot = /^(?:.*:)?(?:Dictionary|DefinitionCollection|Definition)$/;

/** Reports absences only if both ends cover the file. */
async function traitsOf(
  file: FileBytes,
  { name, hasDtd }: Root,
  headText: string,
  encoding: Encoding,
): Promise<Pick<GmlHead, 'traits' | 'lods'>> {
  const tailText = file.size > probeLength ? await unlessRefused(file, readTail(file, encoding)) : '';
  if (tailText === null) return hasDtd ? { traits: ['dtd'] } : {};
  const matches = (pattern: RegExp) => pattern.test(headText) || pattern.test(tailText);
  const endTexts = [withoutComments(headText), withoutComments(skipPartialComment(tailText))];
  const lods = [0, 1, 2, 3, 4].filter((lod) => endTexts.some((endText) => lodPatterns[lod]?.test(endText)));
  const traits: CityTrait[] = hasDtd ? ['dtd'] : [];
  if (!matches(/citygml/i)) {
    if (!dictionaryRoot.test(name)) traits.push('foreign');
  } else if (
    endTexts.every((endText) => endText === '' || terrainPattern.test(endText)) &&
    !matches(otherObjectPattern)
  ) {
    traits.push('only-terrain');
  } else if (file.size <= maxWholeLength && !hasDtd) {
    if (!matches(positionPattern)) traits.push('no-geometry');
    else if (!matches(appearancePattern)) traits.push('no-appearance');
  }
  return { ...(traits.length > 0 && { traits }), ...(lods.length > 1 && { lods }) };
}

const terrainPattern = /<\/?(?:[\w.-]+:)?(?:ReliefFeature|TINRelief|MassPointRelief|BreaklineRelief)[\s>]/;
const otherObjectPattern =
  /<\/?(?:[\w.-]+:)?(?:(?:Abstract)?(?:Building|Bridge|Tunnel)\w{0,30}|Road|Railway|Square|Track|Section|Waterway|TransportationComplex|WaterBody|LandUse|PlantCover|SolitaryVegetationObject|CityFurniture|Generic\w{1,30}|OtherConstruction|CityObjectGroup)[\s>/]/;

/** Elements such as `bldg:lod2Solid`, but not terrain intersections. */
const lodPatterns: readonly RegExp[] = [
  /<(?:[\w.-]+:)?lod0(?!TerrainIntersection)[A-Z]/,
  /<(?:[\w.-]+:)?lod1(?!TerrainIntersection)[A-Z]/,
  /<(?:[\w.-]+:)?lod2(?!TerrainIntersection)[A-Z]/,
  /<(?:[\w.-]+:)?lod3(?!TerrainIntersection)[A-Z]/,
  /<(?:[\w.-]+:)?lod4(?!TerrainIntersection)[A-Z]/,
];

/** The part may begin inside a comment. */
function skipPartialComment(endText: string): string {
  const commentEnd = endText.indexOf('-->');
  const commentStart = endText.indexOf('<!--');
  return commentEnd >= 0 && (commentStart < 0 || commentEnd < commentStart)
    ? endText.slice(commentEnd)
    : endText;
}

const withoutComments = (text: string): string => text.replace(/<!--[\s\S]*?(?:-->|$)/g, '');

const maxNameLength = 100;

function headOf({ name, attributes }: Root, text: string): GmlHead | null {
  const version = /["']http:\/\/www\.opengis\.net\/citygml\/(\d+\.\d+)["']/.exec(attributes)?.[1];
  const isCityGml = version !== undefined || /^(?:.*:)?CityModel$/.test(name);
  if (!isCityGml && !/opengis\.net\/gml/.test(attributes)) return null;
  const markup = withoutComments(text);
  const srsNameMatch = /\bsrsName\s*=\s*(?:"([^"]+)"|'([^']+)')/.exec(markup);
  const srsName = (srsNameMatch?.[1] ?? srsNameMatch?.[2] ?? '').trim();
  const corners = cornersIn(markup);
  return {
    kind: 'gml',
    ...(corners && { corners }),
    isCityGml,
    version: version ?? null,
    ...(srsNameMatch ? systemOfSrsName(srsName) : noSystem),
    ...(srsName !== '' && { srsName: srsName.slice(0, maxNameLength) }),
  };
}

/** Requires the root's closing tag at the end. */
async function checkRootEnd(file: FileBytes, { name }: Root, encoding: Encoding): Promise<Verdict> {
  return endsWithTag(trimMisc(await readTail(file, encoding)), name) ? null : 'noEnd';
}

async function readTail(file: FileBytes, encoding: Encoding): Promise<string> {
  const tail = await file.readEnd(probeLength);
  // UTF-16 starts at an even offset.
  return decode(encoding === 'utf8' ? tail : tail.subarray(file.size % 2), encoding);
}

type Encoding = 'utf8' | 'le' | 'be';

function encodingOf(start: Buffer): Encoding {
  const byteOrderMark = start.toString('hex', 0, 2);
  if (byteOrderMark === 'fffe' || byteOrderMark === '3c00') return 'le';
  return byteOrderMark === 'feff' || byteOrderMark === '003c' ? 'be' : 'utf8';
}

function decode(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'utf8') return bytes.toString('utf8').replace(/^\ufeff/, '');
  const even = bytes.subarray(0, bytes.length & ~1);
  const text = (encoding === 'le' ? even : Buffer.from(even).swap16()).toString('utf16le');
  return text.replace(/^\ufeff/, '');
}

/** Null if the start tag is incomplete. */
function findRoot(text: string): Root | null {
  let tagStart = 0;
  let hasDtd = false;
  for (;;) {
    tagStart = text.indexOf('<', tagStart);
    if (tagStart < 0) return null;
    if (text.startsWith('<!--', tagStart)) tagStart = offsetAfter(text, '-->', tagStart + 4);
    else if (text.startsWith('<?', tagStart)) tagStart = offsetAfter(text, '?>', tagStart + 2);
    else if (text.startsWith('<!', tagStart)) {
      hasDtd ||= text.startsWith('<!DOCTYPE', tagStart);
      tagStart = offsetAfterDoctype(text, tagStart);
    } else break;
    if (tagStart < 0) return null;
  }
  let quote = '';
  for (let tagEnd = tagStart + 1; tagEnd < text.length; tagEnd++) {
    const character = text[tagEnd] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') {
      const name = text.slice(tagStart + 1, Math.min(tagEnd, tagStart + 300)).split(/[\s/>]/, 1)[0] ?? '';
      const attributes = text.slice(tagStart + 1 + name.length, tagEnd);
      return { name, attributes, isSelfClosing: attributes.endsWith('/'), hasDtd };
    }
  }
  return null;
}

function offsetAfter(text: string, endMark: string, start: number): number {
  const markOffset = text.indexOf(endMark, start);
  return markOffset < 0 ? -1 : markOffset + endMark.length;
}

function offsetAfterDoctype(text: string, start: number): number {
  const end = text.indexOf('>', start);
  const subsetStart = text.indexOf('[', start);
  if (subsetStart < 0 || (end >= 0 && end < subsetStart)) return end < 0 ? -1 : end + 1;
  const subsetEnd = offsetAfter(text, ']', subsetStart);
  return subsetEnd < 0 ? -1 : offsetAfter(text, '>', subsetEnd);
}

function trimMisc(text: string): string {
  let remaining = trimEndPadding(text);
  for (;;) {
    const miscStart = remaining.endsWith('-->')
      ? remaining.lastIndexOf('<!--')
      : remaining.endsWith('?>')
        ? remaining.lastIndexOf('<?')
        : -1;
    if (miscStart < 0) return remaining;
    remaining = trimEndPadding(remaining.slice(0, miscStart));
  }
}

function endsWithTag(text: string, name: string): boolean {
  if (!text.endsWith('>')) return false;
  return trimEndPadding(text.slice(0, -1)).endsWith(`</${name}`);
}
