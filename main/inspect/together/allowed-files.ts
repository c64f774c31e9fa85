import { posix } from 'node:path';

const words = (text: string): readonly string[] => text.split(' ');

const pictures = words('png jpg jpeg gif bmp tif tiff webp tga dds ktx2');
const rasters = words(
  'tif tiff png jpg jpeg gif bmp webp jp2 j2k img asc dt0 dt1 dt2 nc flt bil bip bsq hgt',
);

/** Extensions that each kind of document can bring along; unlisted documents bring none. */
const usable: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    obj: ['mtl'],
    mtl: pictures,
    gltf: [...pictures, 'bin'],
    dae: pictures,
    kml: [...pictures, 'dae', 'kml', 'kmz'],
    gml: pictures,
    citygml: pictures,
    xml: pictures,
    vrt: [...rasters, 'vrt'],
    gti: words('gpkg fgb shp'),
    '3mx': ['3mxb'],
    img: ['ige'],
  }).map(([document, endings]) => [document, new Set(endings)]),
);

/**
 * Whether a document may bring along a file by name. References are untrusted, so the name must suit the
 * document and the content must suit the name (`hasExpectedContent`).
 *
 * @param document name or path
 * @param place the file, `/`-separated and normalized, relative to the folder that confines references
 */
export function mayBring(document: string, place: string): boolean {
  const isHidden = place.split('/').some((name) => name === '' || name.startsWith('.'));
  return !isHidden && usable.get(endingOf(document))?.has(endingOf(place)) === true;
}

/** Bytes that `hasExpectedContent` examines. */
export const beginningLength = 4096;

/**
 * Whether a file's first bytes match its extension. Pictures may be of another picture format, as programs
 * accept that. Formats without a signature must not be text or hold secrets.
 */
export function hasExpectedContent(name: string, beginning: Uint8Array): boolean {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  const check = contents.get(endingOf(name));
  return check?.(bytes) === true;
}

type Check = (bytes: Buffer) => boolean;

const startsWith =
  (...signatures: readonly string[]): Check =>
  (bytes) =>
    signatures.some((signature) => bytes.toString('latin1', 0, signature.length) === signature);

const either =
  (...checks: readonly Check[]): Check =>
  (bytes) =>
    checks.some((check) => check(bytes));

/** The two letters could start any text, so the four zeros after the size are checked too. */
const isBmp: Check = (bytes) => startsWith('BM')(bytes) && bytes.toString('latin1', 6, 10) === '\0\0\0\0';

const isWebp: Check = (bytes) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

const isPicture = either(
  startsWith('\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'DDS ', '\xabKTX 20\xbb\r\n\x1a\n'),
  startsWith('II*\0', 'MM\0*', 'II+\0', 'MM\0+'),
  isBmp,
  isWebp,
);

/** Truevision, TGA File Format 2.0: colour map type, image type, bits per pixel. */
const isTga: Check = (bytes) =>
  bytes.length >= 18 &&
  (bytes[1] ?? 0) <= 1 &&
  [1, 2, 3, 9, 10, 11].includes(bytes[2] ?? 0) &&
  [8, 15, 16, 24, 32].includes(bytes[16] ?? 0);

/** XML with this tag near its beginning; also UTF-16, by dropping zero bytes. */
const hasTag =
  (tag: RegExp): Check =>
  (bytes) =>
    tag.test(bytes.toString('latin1').replaceAll('\0', ''));

const materialStatement =
  /^(?:newmtl|k[adest]|n[sid]|d|t[rf]|illum|sharpness|map_\w+|bump|disp|decal|refl|norm|p[rms]|pcr?|aniso)\s/i;

/** Its first line that isn't a comment is a material statement. */
const isMaterials: Check = (bytes) => {
  if (!isText(bytes)) return false;
  const lines = bytes
    .toString('latin1')
    .replace('\xef\xbb\xbf', '')
    .split(/\r\n?|\n/);
  const firstLine = lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('#'));
  return firstLine === undefined || materialStatement.test(`${firstLine} `);
};

function isText(bytes: Buffer): boolean {
  const isWide = startsWith('\xff\xfe', '\xfe\xff')(bytes);
  return isWide || bytes.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b);
}

/** Archives, documents, databases, password stores, and DER keys (PKCS #1, #8, #12). */
const isContainer = either(
  startsWith(
    'PK',
    '\x1f\x8b',
    '7z\xbc\xaf',
    'Rar!',
    'BZh',
    '\xfd7zXZ',
    '%PDF',
    '\xd0\xcf\x11\xe0',
    '\x7fELF',
  ),
  startsWith('SQLite format 3', '\x03\xd9\xa2\x9a', 'LUKS', '!BDN'),
  (bytes) => bytes[0] === 0x30 && bytes[1] === 0x82 && bytes[4] === 0x02 && bytes[5] === 0x01,
);

const isRaw: Check = (bytes) => !isText(bytes) && !isContainer(bytes);

const contents: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...[...pictures, ...rasters].map((extension) => [extension, isPicture] as const),
  ['tga', either(isTga, isPicture)],
  ...words('bin flt bil bip bsq hgt').map((extension) => [extension, isRaw] as const),
  ['mtl', isMaterials],
  ['dae', hasTag(/<(?:\w{1,20}:)?COLLADA[\s>]/)],
  ['kml', hasTag(/<(?:\w{1,20}:)?kml[\s>]/)],
  ['kmz', startsWith('PK\x03\x04')],
  ['vrt', hasTag(/<(?:\w{1,20}:)?VRTDataset[\s>]/)],
  ['asc', (bytes) => /^\s*n(?:cols|rows)\s/i.test(bytes.toString('latin1'))],
  ...words('jp2 j2k').map(
    (extension) => [extension, startsWith('\0\0\0\x0cjP  \r\n\x87\n', '\xff\x4f\xff\x51')] as const,
  ),
  ...words('dt0 dt1 dt2').map((extension) => [extension, startsWith('UHL1', 'VOL1', 'HDR1')] as const),
  ['nc', startsWith('CDF\x01', 'CDF\x02', 'CDF\x05', '\x89HDF')],
  ['img', startsWith('EHFA_HEADER_TAG')],
  ['ige', startsWith('ERDAS_IMG_EXTERNAL_RASTER')],
  ['gpkg', (bytes) => startsWith('SQLite format 3\0')(bytes) && bytes.toString('latin1', 68, 70) === 'GP'],
  ['fgb', startsWith('fgb\x03')],
  ['shp', startsWith('\0\0\x27\x0a')],
  ['3mxb', startsWith('3MXBO')],
]);

const endingOf = (name: string): string => posix.extname(name).slice(1).toLowerCase();
