/** Small geospatial files, built byte by byte. */
import { type TiffField, tiffDirectory, tiffHeader } from './tiff-directory.ts';

interface TiffOptions {
  readonly bands?: number;
  readonly bits?: number;
  /** 1 unsigned, 2 signed, 3 floats. */
  readonly sampleFormat?: number;
  readonly photometric?: number;
  readonly geoKeys?: readonly number[];
  readonly geoDoubles?: readonly number[];
  readonly geoWords?: string;
  /** Columns and rows; without them the file has no pixels. */
  readonly size?: readonly [columns: number, rows: number];
  readonly scale?: readonly number[];
  /** Column, row, 0, x, y, 0. */
  readonly tie?: readonly number[];
  /** 16 numbers. */
  readonly matrix?: readonly number[];
  readonly big?: boolean;
  readonly littleEndian?: boolean;
  /** Offset of the directory; a later one leaves space for the pixels. */
  readonly directoryAt?: number;
}

/** GeoKeys of a projected coordinate system. */
export const projectedKeys = (epsg: number) => [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, epsg];
/** GeoKeys of the pixel interpretation without a system. */
export const pixelKeys = [1, 1, 0, 1, 1025, 0, 1, 1];

export function tiffFile(options: TiffOptions = {}): Buffer {
  const { bands = 1, bits = 8, sampleFormat, photometric = 1, geoKeys = [], geoDoubles = [] } = options;
  const { geoWords = '' } = options;
  const { size: [columns, rows] = [0, 0], scale = [], tie = [], matrix = [] } = options;
  const fields: readonly TiffField[] = [
    [256, 3, [columns]],
    [257, 3, [rows]],
    [258, 3, Array.from({ length: bands }, () => bits)],
    [262, 3, [photometric]],
    [277, 3, [bands]],
    [339, 3, sampleFormat === undefined ? [] : [sampleFormat]],
    [33_550, 12, scale],
    [33_922, 12, tie],
    [34_264, 12, matrix],
    [34_735, 3, geoKeys],
    [34_736, 12, geoDoubles],
    [34_737, 2, [...Buffer.from(geoWords)]],
  ];
  const header = tiffHeader(options.directoryAt ?? (options.big ? 16 : 8), options);
  const at = options.directoryAt ?? header.length;
  return Buffer.concat([
    header,
    Buffer.alloc(at - header.length),
    tiffDirectory(
      fields.filter(([tag, , values]) => values.length > 0 && (tag > 257 || columns > 0)),
      { ...options, at },
    ),
  ]);
}

const textOf = (words: string) => [...Buffer.from(`${words}\0`, 'latin1')];

/** A photo with only the camera's model and a time: `2025:06:01 12:00:00`. */
export function datedPhoto(model: string, takenAt: string): Buffer {
  const exif = exifOf([[272, 2, textOf(model)]], 34_665, 200, [[36_867, 2, textOf(takenAt)]]);
  const end = Buffer.from([0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), exif, end]);
}

/** A segment with Exif data: a directory with these fields that names, by `tag`, another one `at` a byte. */
function exifOf(
  main: readonly TiffField[],
  tag: number,
  at: number,
  furtherFields: readonly TiffField[],
): Buffer {
  const firstDirectory = tiffDirectory([...main, [tag, 4, [at]]], { at: 8 });
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0', 'latin1'),
    tiffHeader(8),
    firstDirectory,
    Buffer.alloc(at - 8 - firstDirectory.length),
    tiffDirectory(furtherFields, { at }),
  ]);
  return Buffer.concat([Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 0xff]), exif]);
}

/** Adds an XMP packet or other application data to a photo. */
export function withXmp(photo: Buffer, packet: string, mark = 'http://ns.adobe.com/xap/1.0/\0'): Buffer {
  const body = Buffer.from(`${mark}${packet}`, 'latin1');
  const segment = Buffer.from([0xff, 0xe1, (body.length + 2) >> 8, (body.length + 2) & 0xff]);
  return Buffer.concat([photo.subarray(0, 2), segment, body, photo.subarray(2)]);
}

/**
 * A photo; negative degrees are written as south and west.
 *
 * @param status of the GPS receiver: `A` or `V`; empty: none
 * @param camera model; empty: none
 */
export function jpegFile(
  position: readonly [latitude: number, longitude: number] | 'no reception' | null,
  type: 5 | 6 | 8 | 9 | 10 = 5,
  { hasLetters = true, status = '', camera = '' } = {},
): Buffer {
  const start = Buffer.from([0xff, 0xd8]);
  const comment = Buffer.from([0xff, 0xfe, 0, 4, 65, 66]);
  const end = Buffer.from([0xff, 0xda, 0, 2, 1, 2, 3]);
  if (position === null) return Buffer.concat([start, comment, end]);
  const isFraction = type === 5 || type === 10;
  const inFractions = (degrees: number) =>
    isFraction
      ? [Math.trunc(degrees), 1, Math.round((degrees % 1) * 6e5), 1e4, 0, 1]
      : [Math.trunc(degrees), 0, 0];
  const noFractions = [0, 0, 0, 0, 0, 0];
  const firstOffset = camera === '' ? 8 + 2 + 12 + 4 : 100;
  const [latitude, longitude] =
    position === 'no reception'
      ? [noFractions, noFractions]
      : position.map((degrees) => inFractions(Math.abs(degrees)));
  const [isSouth, isWest] =
    position === 'no reception' ? [false, false] : position.map((degrees) => degrees < 0);
  const letter = (isPresent: boolean | undefined, [presentLetter, no]: readonly [string, string]) => [
    (isPresent ? presentLetter : no).charCodeAt(0),
    0,
  ];
  const exif = exifOf(camera === '' ? [] : [[272, 2, textOf(camera)]], 34_853, firstOffset, [
    ...(hasLetters ? ([[1, 2, letter(isSouth, ['S', 'N'])]] as const) : []),
    [2, type, latitude ?? noFractions],
    ...(hasLetters ? ([[3, 2, letter(isWest, ['W', 'E'])]] as const) : []),
    [4, type, longitude ?? noFractions],
    ...(status === '' ? [] : ([[9, 2, textOf(status)]] as const)),
  ]);
  return Buffer.concat([start, comment, exif, end]);
}

interface LasOptions {
  readonly minor?: number;
  readonly compressed?: boolean;
  readonly wkt?: string;
  readonly geoKeys?: readonly number[];
  /** The header's WKT bit, if both representations exist. */
  readonly wktBit?: boolean;
  /** Bounding box of a single point: west, south, east, north. */
  readonly box?: readonly [number, number, number, number];
  /** Places the record after this many bytes of points, as LAS 1.4 allows. */
  readonly behind?: number;
  readonly scale?: number;
  readonly offset?: number;
  readonly classes?: readonly number[];
  readonly format?: number;
  readonly colours?: readonly number[];
}

export function lasFile(options: LasOptions = {}): Buffer {
  const { minor = 4, compressed = false, wkt, geoKeys, wktBit = false, box, behind } = options;
  const { scale = 0, offset = 0, classes, format = 6, colours = [] } = options;
  const header = Buffer.alloc(375);
  header.write('LASF', 'latin1');
  header.writeUInt16LE(wktBit ? 0x10 : 0, 6);
  header.writeUInt8(1, 24);
  header.writeUInt8(minor, 25);
  header.writeUInt16LE(375, 94);
  header.writeUInt8(format | (compressed ? 0x80 : 0), 104);
  for (const axis of [0, 1, 2]) {
    header.writeDoubleLE(scale, 131 + 8 * axis);
    header.writeDoubleLE(offset, 155 + 8 * axis);
  }
  for (const [index, value] of [box?.[2], box?.[0], box?.[3], box?.[1]].entries())
    header.writeDoubleLE(value ?? 0, 179 + 8 * index);
  if (box) header.writeUInt32LE(1, 107);
  const records = [
    ...(geoKeys ? [lasRecord(34_735, shorts(geoKeys), behind !== undefined)] : []),
    ...(wkt === undefined ? [] : [lasRecord(2_112, Buffer.from(`${wkt}\0`), behind !== undefined)]),
  ];
  if (behind === undefined) header.writeUInt32LE(records.length, 100);
  else {
    header.writeBigUInt64LE(BigInt(375 + behind), 235);
    header.writeUInt32LE(records.length, 243);
  }
  if (!classes) return Buffer.concat([header, Buffer.alloc(behind ?? 0), ...records]);
  const points = classes.map((classId, index) => {
    const point = Buffer.alloc(40);
    point.writeUInt8(classId, format < 6 ? 15 : 16);
    if (format === 7) point.writeUInt16LE(colours[index] ?? 0, 30);
    return point;
  });
  header.writeUInt32LE(header.length + Buffer.concat(records).length, 96);
  header.writeUInt16LE(40, 105);
  header.writeUInt32LE(points.length, 107);
  return Buffer.concat([header, ...records, ...points]);
}

function lasRecord(number: number, body: Buffer, isExtended: boolean): Buffer {
  const record = Buffer.alloc(isExtended ? 60 : 54);
  record.write('LASF_Projection', 2, 'latin1');
  record.writeUInt16LE(number, 18);
  if (isExtended) record.writeBigUInt64LE(BigInt(body.length), 20);
  else record.writeUInt16LE(body.length, 20);
  return Buffer.concat([record, body]);
}

function shorts(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}

export const cityModel = (srsName = 'EPSG:25832+5783', version = '2.0') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!-- srsName="EPSG:1" of an old export -->
<core:CityModel xmlns:core="http://www.opengis.net/citygml/${version}" xmlns:gml="http://www.opengis.net/gml">
  <gml:boundedBy><gml:Envelope srsDimension="3"${srsName === '' ? '' : ` srsName="${srsName}"`}/></gml:boundedBy>
</core:CityModel>`;
