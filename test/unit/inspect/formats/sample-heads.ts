/** Small geospatial files, built byte by byte. */

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
  const fields: [tag: number, values: readonly number[], type?: 2 | 3 | 12][] = [
    [256, [columns]],
    [257, [rows]],
    [258, Array.from({ length: bands }, () => bits)],
    [262, [photometric]],
    [277, [bands]],
    ...(sampleFormat === undefined ? [] : [[339, [sampleFormat]] as [number, readonly number[]]]),
    ...(geoKeys.length === 0 ? [] : [[34_735, geoKeys] as [number, readonly number[]]]),
    [33_550, scale, 12],
    [33_922, tie, 12],
    [34_736, geoDoubles, 12],
    [34_737, [...Buffer.from(geoWords)], 2],
    [34_264, matrix, 12],
  ];
  return tiffDirectory(
    fields
      .filter(([tag, values]) => values.length > 0 && (tag > 257 || columns > 0))
      .map(([tag, values, type = 3]) => ({ tag, type, values }))
      .toSorted((a, b) => a.tag - b.tag),
    options,
  );
}

interface Field {
  readonly tag: number;
  /** 2 ASCII, 3 short, 4 long, 5 and 10 rational (numerator, denominator), 6, 8 and 9 signed, 12 double. */
  readonly type: 2 | 3 | 4 | 5 | 6 | 8 | 9 | 10 | 12;
  readonly values: readonly number[];
}

function tiffDirectory(fields: readonly Field[], options: TiffOptions): Buffer {
  const { big = false, littleEndian = true } = options;
  const at = options.directoryAt ?? (big ? 16 : 8);
  const [countSize, entrySize, offsetSize] = big ? [8, 20, 8] : [2, 12, 4];
  const write = (target: Buffer, place: number, size: number, value: number) => {
    if (size === 8 && littleEndian) target.writeBigUInt64LE(BigInt(value), place);
    else if (size === 8) target.writeBigUInt64BE(BigInt(value), place);
    else if (littleEndian) target.writeUIntLE(value, place, size);
    else target.writeUIntBE(value, place, size);
  };
  const header = Buffer.alloc(at);
  header.write(littleEndian ? 'II' : 'MM', 'latin1');
  write(header, 2, 2, big ? 43 : 42);
  if (big) write(header, 4, 2, 8);
  write(header, big ? 8 : 4, big ? 8 : 4, at);
  const directory = Buffer.alloc(countSize + fields.length * entrySize + offsetSize);
  write(directory, 0, countSize, fields.length);
  const further: Buffer[] = [];
  let furtherAt = at + directory.length;
  for (const [index, { tag, type, values }] of fields.entries()) {
    const size = ({ 2: 1, 3: 2, 6: 1, 8: 2, 12: 8 } as const)[type as 2 | 3 | 6 | 8 | 12] ?? 4;
    const bytes = Buffer.alloc(values.length * size);
    for (const [place, value] of values.entries()) {
      if (type === 12 && littleEndian) bytes.writeDoubleLE(value, place * 8);
      else if (type === 12) bytes.writeDoubleBE(value, place * 8);
      else write(bytes, place * size, size, value);
    }
    const entry = countSize + index * entrySize;
    write(directory, entry, 2, tag);
    write(directory, entry + 2, 2, type);
    write(directory, entry + 4, offsetSize, type === 5 || type === 10 ? values.length / 2 : values.length);
    const place = entry + 4 + offsetSize;
    if (bytes.length <= offsetSize) bytes.copy(directory, place);
    else {
      write(directory, place, offsetSize, furtherAt);
      further.push(bytes);
      furtherAt += bytes.length;
    }
  }
  return Buffer.concat([header, directory, ...further]);
}

const textOf = (words: string) => [...Buffer.from(`${words}\0`, 'latin1')];

/** A photo with only the camera's model and a time: `2025:06:01 12:00:00`. */
export function datedPhoto(model: string, taken: string): Buffer {
  const first = 200;
  const main = tiffDirectory(
    [
      { tag: 272, type: 2, values: textOf(model) },
      { tag: 34_665, type: 4, values: [first] },
    ],
    {},
  );
  const dated = tiffDirectory([{ tag: 36_867, type: 2, values: textOf(taken) }], { directoryAt: first });
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0', 'latin1'),
    main,
    Buffer.alloc(first - main.length),
    dated.subarray(first),
  ]);
  const segment = Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 0xff]);
  const end = Buffer.from([0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), segment, exif, end]);
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
  const none = [0, 0, 0, 0, 0, 0];
  const first = camera === '' ? 8 + 2 + 12 + 4 : 100;
  const [latitude, longitude] =
    position === 'no reception' ? [none, none] : position.map((one) => inFractions(Math.abs(one)));
  const [isSouth, isWest] = position === 'no reception' ? [false, false] : position.map((one) => one < 0);
  const letter = (is: boolean | undefined, [yes, no]: readonly [string, string]) => [
    (is ? yes : no).charCodeAt(0),
    0,
  ];
  const main = tiffDirectory(
    [
      ...(camera === '' ? [] : [{ tag: 272, type: 2, values: textOf(camera) } as const]),
      { tag: 34_853, type: 4, values: [first] },
    ],
    {},
  );
  const gps = tiffDirectory(
    [
      ...(hasLetters ? [{ tag: 1, type: 2, values: letter(isSouth, ['S', 'N']) } as const] : []),
      { tag: 2, type, values: latitude ?? none },
      ...(hasLetters ? [{ tag: 3, type: 2, values: letter(isWest, ['W', 'E']) } as const] : []),
      { tag: 4, type, values: longitude ?? none },
      ...(status === '' ? [] : [{ tag: 9, type: 2, values: textOf(status) } as const]),
    ],
    { directoryAt: first },
  ).subarray(first);
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0', 'latin1'),
    main,
    Buffer.alloc(first - main.length),
    gps,
  ]);
  const segment = Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 0xff]);
  return Buffer.concat([start, comment, segment, exif, end]);
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
  const points = classes.map((one, index) => {
    const point = Buffer.alloc(40);
    point.writeUInt8(one, format < 6 ? 15 : 16);
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
