/** Small complete files of many formats, built byte by byte, each with its format's end. */

const text = (words: string): Buffer => Buffer.from(words, 'latin1');
export const u16 = (...values: readonly number[]): Buffer => numbers(values, 2);
export const u32 = (...values: readonly number[]): Buffer => numbers(values, 4);
const u64 = (...values: readonly number[]): Buffer => numbers(values, 8);
const noise = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 37 + 11) & 0x7f));

function numbers(values: readonly number[], size: 2 | 4 | 8, littleEndian = true): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  for (const [index, value] of values.entries()) {
    if (size === 2) bytes.writeUInt16LE(value, index * 2);
    else if (size === 4) bytes.writeUInt32LE(value, index * 4);
    else bytes.writeBigUInt64LE(BigInt(value), index * 8);
  }
  if (littleEndian) return bytes;
  return size === 2 ? bytes.swap16() : size === 4 ? bytes.swap32() : bytes.swap64();
}

function putBytes(base: Buffer, at: number, bytes: Buffer): Buffer {
  bytes.copy(base, at);
  return base;
}

interface TiffOptions {
  readonly big?: boolean;
  readonly littleEndian?: boolean;
  /** Offset and length of each strip; default: two of 20 bytes at the end. */
  readonly strips?: readonly (readonly [at: number, length: number])[];
  /** GDAL's notes on its structure, after the header. */
  readonly words?: string;
  /** Offset of the next directory; 0 for none. */
  readonly next?: number;
  readonly tiled?: boolean;
}

/** A TIFF with one directory, external arrays of its pieces, and 40 bytes of pixels. */
export function tiff(options: TiffOptions = {}): Buffer {
  const { big: isBig = false, littleEndian = true, words = '', next = 0, tiled = false } = options;
  const [count, entry, offset] = isBig ? ([8, 20, 8] as const) : ([2, 12, 4] as const);
  const wholeNumbers = (size: 2 | 4 | 8, ...values: readonly number[]) => numbers(values, size, littleEndian);
  const headLength = (isBig ? 16 : 8) + words.length;
  const arraysAt = headLength + count + 2 * entry + offset;
  const strips = options.strips ?? [0, 20].map((at) => [arraysAt + 4 * offset + at, 20] as const);
  const arrayLength = strips.length * offset;
  const field = (tag: number, at: number, values: readonly number[]) =>
    Buffer.concat([
      wholeNumbers(2, tag, isBig ? 16 : 4),
      wholeNumbers(offset, values.length, values.length === 1 ? (values[0] ?? 0) : at),
    ]);
  const [places, lengths] = [strips.map(([at]) => at), strips.map(([, length]) => length)];
  return Buffer.concat([
    text(littleEndian ? 'II' : 'MM'),
    isBig ? wholeNumbers(2, 43, 8, 0) : wholeNumbers(2, 42),
    wholeNumbers(offset, headLength),
    text(words),
    wholeNumbers(count, 2),
    field(tiled ? 324 : 273, arraysAt, places),
    field(tiled ? 325 : 279, arraysAt + arrayLength, lengths),
    wholeNumbers(offset, next),
    numbers([...places, ...lengths], offset, littleEndian),
    ...(options.strips ? [] : [noise(40)]),
  ]);
}

export function las({ minor = 2, points = 5, further: furtherRecords = 0 } = {}): Buffer {
  const length = minor >= 4 ? 375 : 227;
  const beginOffset = length + 54 + 10;
  const head = Buffer.alloc(beginOffset);
  head.write('LASF', 'latin1');
  head.writeUInt8(1, 24);
  head.writeUInt8(minor, 25);
  head.writeUInt16LE(length, 94);
  head.writeUInt32LE(beginOffset, 96);
  head.writeUInt32LE(1, 100);
  head.writeUInt16LE(20, 105);
  head.writeUInt16LE(10, length + 20);
  if (minor >= 4) head.writeBigUInt64LE(BigInt(points), 247);
  else head.writeUInt32LE(points, 107);
  if (furtherRecords > 0) {
    head.writeBigUInt64LE(BigInt(beginOffset + points * 20), 235);
    head.writeUInt32LE(1, 243);
  }
  const record = putBytes(Buffer.alloc(60), 20, u64(furtherRecords));
  return Buffer.concat([
    head,
    noise(points * 20),
    ...(furtherRecords > 0 ? [record, noise(furtherRecords)] : []),
  ]);
}

/** `streamed`: the offset of the chunk table is at the end of the file. */
export function laz({ streamed: isStreamed = false } = {}): Buffer {
  const head = las({ points: 0 });
  head.writeUInt8(0x81, 104);
  head.writeUInt32LE(900, 107);
  const tableAt = head.length + 8 + 60;
  const table = Buffer.concat([u32(0, 3), noise(4)]);
  return isStreamed
    ? Buffer.concat([head, Buffer.alloc(8, 0xff), noise(60), table, u64(tableAt)])
    : Buffer.concat([head, u64(tableAt), noise(60), table]);
}

const e57 = Buffer.concat([text('ASTM-E57'), u32(1, 0), u64(1_024, 500, 300, 1_024), noise(1_024 - 48)]);
const plyHeader = (format: string) =>
  text(
    `ply\nformat ${format} 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty uchar red\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n`,
  );
const ply = Buffer.concat([plyHeader('binary_little_endian'), noise(4 * 9 + 2 * 13)]);
export const asciiPly = Buffer.concat([
  plyHeader('ascii'),
  text(`${'1.5 2.5 9\n'.repeat(4)}3 0 1 2\n3 1 2 3\n`),
]);

const shape = putBytes(
  putBytes(Buffer.alloc(160, 1), 0, numbers([9_994], 4, false)),
  24,
  numbers([80], 4, false),
);
const dbase = putBytes(
  putBytes(Buffer.alloc(33 + 5 * 12, 32), 0, Buffer.from([3, 124, 1, 1])),
  4,
  Buffer.concat([u32(5), u16(33, 12)]),
);

const box = (kind: string, content: Buffer) =>
  Buffer.concat([numbers([8 + content.length], 4, false), text(kind), content]);
const codestream = Buffer.concat([Buffer.from('ff4fff51', 'hex'), noise(50), Buffer.from('ffd9', 'hex')]);
const jp2 = Buffer.concat([box('jP  ', text('\r\n\x87\n')), box('ftyp', noise(12)), box('jp2c', codestream)]);

function hfa(): Buffer {
  const base = Buffer.alloc(20 + 18 + 128 * 2 + 22 + 14 * 2, 0);
  base.write('EHFA_HEADER_TAG\0', 'latin1');
  base.writeUInt32LE(20, 16);
  const [root, child] = [38, 38 + 128];
  const state = child + 128;
  putBytes(base, 20, Buffer.concat([u32(1, 0, root), u16(128), u32(20)]));
  putBytes(base, root, u32(0, 0, 0, child));
  putBytes(base, child, u32(0, 0, root, 0, state, 22));
  base.write('Edms_State', child + 88, 'latin1');
  putBytes(base, state, Buffer.concat([u32(2, 64, 0), u16(0), u32(2, state + 22)]));
  for (const [index, validEntry] of [1, 1].entries()) {
    const block = Buffer.concat([u16(0), u32(base.length + index * 64, 64), u16(validEntry, 0)]);
    putBytes(base, state + 22 + index * 14, block);
  }
  return Buffer.concat([base, noise(128)]);
}

/** An ERDAS `.img` with pixels in another file: root, layer, and below it the file's name. */
export function hfaWithOutside(name: string): Buffer {
  const [header, root, layer, outsideOffset] = [20, 38, 38 + 128, 38 + 256];
  const data = outsideOffset + 128;
  const base = Buffer.alloc(data + 8 + name.length + 1 + 20);
  base.write('EHFA_HEADER_TAG\0', 'latin1');
  base.writeUInt32LE(header, 16);
  putBytes(base, header, Buffer.concat([u32(1, 0, root), u16(128), u32(header)]));
  putBytes(base, root, u32(0, 0, 0, layer));
  putBytes(base, layer, u32(0, 0, root, outsideOffset));
  putBytes(base, outsideOffset, u32(0, 0, layer, 0, data, 8 + name.length + 1 + 20));
  base.write('ImgExternalRaster', outsideOffset + 88, 'latin1');
  putBytes(base, data, Buffer.concat([u32(name.length + 1, 8), text(`${name}\0`)]));
  return base;
}

interface ZipEntry {
  readonly name: string;
  readonly flags?: number;
  readonly method?: number;
}

interface ZipOptions {
  readonly comment?: string;
  readonly large?: boolean;
  readonly before?: string;
  readonly entries?: readonly ZipEntry[];
}

/** A zip with empty entries that share one local header before the directory. */
export function zip({
  comment = '',
  large = false,
  before = '',
  entries: listedEntries = [{ name: 'a' }],
}: ZipOptions = {}): Buffer {
  const local = Buffer.concat([text('PK\x03\x04'), noise(40)]);
  const directory = Buffer.concat(
    listedEntries.flatMap(({ name, flags = 0, method = 0 }) => [
      text('PK\x01\x02'),
      Buffer.alloc(4),
      u16(flags, method),
      Buffer.alloc(16),
      u16(name.length),
      Buffer.alloc(16),
      text(name),
    ]),
  );
  const count = listedEntries.length;
  const at = local.length;
  const largeEnd = Buffer.concat([
    text('PK\x06\x06'),
    u64(44),
    u16(45, 45),
    u32(0, 0),
    u64(count, count, directory.length, at),
  ]);
  const locator = Buffer.concat([text('PK\x06\x07'), u32(0), u64(at + directory.length), u32(1)]);
  const [entries, length, place] = large ? [0xffff, 0xffff_ffff, 0xffff_ffff] : [count, directory.length, at];
  const end = Buffer.concat([
    text('PK\x05\x06'),
    u16(0, 0, entries, entries),
    u32(length, place),
    u16(comment.length),
    text(comment),
  ]);
  return Buffer.concat([text(before), local, directory, ...(large ? [largeEnd, locator] : []), end]);
}

const sevenZip = Buffer.concat([text('7z\xbc\xaf\x27\x1c'), noise(6), u64(40, 20), u32(0), noise(60)]);
export const glb = Buffer.concat([text('glTF'), u32(2, 60), noise(48)]);
const tile = Buffer.concat([text('b3dm'), u32(1, 60), noise(48)]);
export const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000049454e44ae426082',
  'hex',
);
/** A comment that contains an end marker, like previews, then the scan. */
export const jpeg = Buffer.concat([
  Buffer.from('ffd8fffe0006ffd9ffd9ffda0004', 'hex'),
  noise(2),
  Buffer.from('11ff0022ffd0', 'hex'),
  noise(60),
  Buffer.from('ffd9', 'hex'),
]);
const gif = Buffer.concat([text('GIF89a'), noise(50).map((byte) => (byte === 0x3b ? 1 : byte)), text('\0;')]);
const bmp = putBytes(
  putBytes(putBytes(Buffer.alloc(54 + 8 * 12, 9), 0, text('BM')), 10, u32(54, 40, 2, 12)),
  26,
  Buffer.concat([u16(1, 24), u32(0)]),
);
const webp = Buffer.concat([text('RIFF'), u32(52), text('WEBP'), noise(48)]);
const sqlite = putBytes(
  putBytes(
    putBytes(Buffer.alloc(1_024, 5), 0, text('SQLite format 3\0\x02\0')),
    24,
    numbers([7, 2], 4, false),
  ),
  92,
  numbers([7], 4, false),
);
const parquet = Buffer.concat([text('PAR1'), noise(60), u32(30), text('PAR1')]);
const hdf5 = Buffer.concat([
  text('\x89HDF\r\n\x1a\n'),
  Buffer.from([2, 8, 8, 0]),
  u64(0, 2 ** 48, 200),
  noise(200 - 36),
]);
const fbx = Buffer.concat([
  text('Kaydara FBX Binary  \0\x1a\0'),
  u32(7_400, 80),
  noise(80 - 31),
  u32(120),
  noise(36),
  Buffer.alloc(13),
]);

/** One fixed and one record variable, in NetCDF’s terms. */
function netcdf(): Buffer {
  const be = (...values: readonly number[]) => numbers(values, 4, false);
  const name = (words: string) =>
    Buffer.concat([be(words.length), text(words.padEnd(Math.ceil(words.length / 4) * 4, '\0'))]);
  const variable = (words: string, dimensions: readonly number[], beginOffset: number) =>
    Buffer.concat([name(words), be(dimensions.length, ...dimensions), be(0, 0), be(5, 40, beginOffset)]);
  const header = (beginOffset: number) =>
    Buffer.concat([
      text('CDF\x01'),
      be(3, 10, 2),
      name('time'),
      be(0),
      name('x'),
      be(10, 12, 1),
      name('title'),
      be(2, 6),
      text('height\0\0'),
      be(11, 2),
      variable('a', [1], beginOffset),
      variable('b', [0, 1], beginOffset + 40),
    ]);
  const begin = header(0).length;
  return Buffer.concat([header(begin), noise(40 + 3 * 40)]);
}

function flatGeobuf(): Buffer {
  // A table with two fields: number of features, and node size.
  const fields = Buffer.concat([u16(24, 14, ...Array.from({ length: 8 }, () => 0), 4, 12)]);
  const table = Buffer.concat([numbers([fields.length], 4), u64(3), u16(16)]);
  const header = Buffer.concat([u32(4 + fields.length), fields, table]);
  const node = (at: number) => Buffer.concat([noise(32), u64(at)]);
  const feature = Buffer.concat([u32(10), noise(10)]);
  return Buffer.concat([
    text('fgb\x03fgb\0'),
    u32(header.length),
    header,
    node(0),
    node(0),
    node(14),
    node(28),
    feature,
    feature,
    feature,
  ]);
}

const markup = (root: string) =>
  text(
    `\xef\xbb\xbf<?xml version="1.0"?>\n<!-- <a> -->\n<!DOCTYPE x [<!ENTITY y "z>">]>\n<${root} name="a > b">\n <b/>\n</${root}>`,
  );

export interface SampleFile {
  readonly name: string;
  /** With its dot. */
  readonly ending: string;
  readonly bytes: Buffer;
  /** Its header file. */
  readonly header?: string;
}

const esriHeader = 'BYTEORDER I\nLAYOUT BIL\nNROWS 10\nNCOLS 7\nNBANDS 2\nNBITS 16\nSKIPBYTES 5\n';

/** No shorter part of these files is complete. */
export const samples: readonly SampleFile[] = [
  { name: 'TIFF', ending: '.tif', bytes: tiff() },
  { name: 'TIFF, the other way round', ending: '.tiff', bytes: tiff({ littleEndian: false }) },
  { name: 'BigTIFF', ending: '.tif', bytes: tiff({ big: true, tiled: true }) },
  { name: 'BigTIFF, the other way round', ending: '.tif', bytes: tiff({ big: true, littleEndian: false }) },
  { name: 'LAS 1.2', ending: '.las', bytes: las() },
  { name: 'LAS 1.4', ending: '.las', bytes: las({ minor: 4 }) },
  { name: 'LAS 1.4 with a record behind its points', ending: '.las', bytes: las({ minor: 4, further: 30 }) },
  { name: 'LAZ', ending: '.laz', bytes: laz() },
  { name: 'LAZ, streamed', ending: '.laz', bytes: laz({ streamed: true }) },
  { name: 'E57', ending: '.e57', bytes: e57 },
  { name: 'PLY', ending: '.ply', bytes: ply },
  { name: 'Shapefile', ending: '.shp', bytes: shape },
  { name: 'dBase', ending: '.dbf', bytes: dbase },
  { name: 'JPEG 2000', ending: '.jp2', bytes: jp2 },
  { name: 'JPEG 2000 codestream', ending: '.j2k', bytes: codestream },
  { name: 'IMAGINE', ending: '.img', bytes: hfa() },
  { name: 'zip', ending: '.zip', bytes: zip() },
  { name: 'Zip64', ending: '.slpk', bytes: zip({ large: true }) },
  { name: 'zip with a comment', ending: '.kmz', bytes: zip({ comment: 'made by hand' }) },
  { name: 'zip that unpacks itself', ending: '.zip', bytes: zip({ before: 'MZ a program' }) },
  { name: '7z', ending: '.7z', bytes: sevenZip },
  { name: 'glTF', ending: '.glb', bytes: glb },
  { name: '3D tile', ending: '.b3dm', bytes: tile },
  { name: 'PNG', ending: '.png', bytes: png },
  { name: 'JPEG', ending: '.jpg', bytes: jpeg },
  { name: 'GIF', ending: '.gif', bytes: gif },
  { name: 'BMP', ending: '.bmp', bytes: bmp },
  { name: 'WebP', ending: '.webp', bytes: webp },
  { name: 'SQLite', ending: '.mbtiles', bytes: sqlite },
  { name: 'Parquet', ending: '.parquet', bytes: parquet },
  { name: 'HDF5', ending: '.h5', bytes: hdf5 },
  { name: 'NetCDF', ending: '.nc', bytes: netcdf() },
  { name: 'NetCDF 4', ending: '.nc', bytes: hdf5 },
  { name: 'FlatGeobuf', ending: '.fgb', bytes: flatGeobuf() },
  { name: 'FBX', ending: '.fbx', bytes: fbx.subarray(0, fbx.length - 9) },
  { name: 'BIL', ending: '.bil', bytes: noise(5 + 280), header: esriHeader },
  { name: 'FLT', ending: '.flt', bytes: noise(4 * 6), header: 'ncols 3\nnrows 2\nxllcorner 0\ncellsize 1\n' },
  {
    name: 'ENVI',
    ending: '.bsq',
    bytes: noise(16 + 3 * 2 * 4),
    header: 'ENVI\nsamples = 3\nlines   = 2\nbands = 1\nheader offset = 16\ndata type = 4\n',
  },
  { name: 'GML', ending: '.gml', bytes: markup('core:CityModel') },
  { name: 'KML', ending: '.kml', bytes: markup('kml') },
  { name: 'GML in two bytes a sign', ending: '.gml', bytes: Buffer.from('\ufeff<a><b></b></a>', 'utf16le') },
  { name: 'IFC', ending: '.ifc', bytes: text('ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;') },
  { name: 'glTF as text', ending: '.gltf', bytes: text('{"asset": 1, "meshes": [1, 2]}') },
];
