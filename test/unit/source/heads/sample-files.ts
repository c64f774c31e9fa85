/** Small files of the field's formats, made byte by byte. */

interface TiffOptions {
  readonly bands?: number;
  readonly bits?: number;
  /** 1 unsigned, 2 signed, 3 floats. */
  readonly sampleFormat?: number;
  readonly photometric?: number;
  readonly geoKeys?: readonly number[];
  readonly big?: boolean;
  readonly littleEndian?: boolean;
  /** Where the directory stands; others leave the space before it to the pixels. */
  readonly directoryAt?: number;
}

/** Keys that name a projected coordinate system by its number. */
export const projectedKeys = (epsg: number) => [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, epsg];
/** Keys that say how pixels are meant, and nothing of where. */
export const pixelKeys = [1, 1, 0, 1, 1025, 0, 1, 1];

export function tiffFile(options: TiffOptions = {}): Buffer {
  const { bands = 1, bits = 8, sampleFormat, photometric = 1, geoKeys = [] } = options;
  const fields: [tag: number, values: readonly number[]][] = [
    [258, Array.from({ length: bands }, () => bits)],
    [262, [photometric]],
    [277, [bands]],
    ...(sampleFormat === undefined ? [] : [[339, [sampleFormat]] as [number, readonly number[]]]),
    ...(geoKeys.length === 0 ? [] : [[34_735, geoKeys] as [number, readonly number[]]]),
  ];
  return tiffDirectory(
    fields.map(([tag, values]) => ({ tag, type: 3, values })),
    options,
  );
}

interface Field {
  readonly tag: number;
  /** 3 shorts, 4 longs, 5 fractions (numerators and denominators in turn). */
  readonly type: 3 | 4 | 5;
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
    const size = type === 3 ? 2 : 4;
    const bytes = Buffer.alloc(values.length * size);
    for (const [place, value] of values.entries()) write(bytes, place * size, size, value);
    const entry = countSize + index * entrySize;
    write(directory, entry, 2, tag);
    write(directory, entry + 2, 2, type);
    write(directory, entry + 4, offsetSize, type === 5 ? values.length / 2 : values.length);
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

/** A photo; `[0, 0]` stands for a camera without reception. */
export function jpegFile(
  position: readonly [latitude: number, longitude: number] | 'no reception' | null,
): Buffer {
  const start = Buffer.from([0xff, 0xd8]);
  const comment = Buffer.from([0xff, 0xfe, 0, 4, 65, 66]);
  const end = Buffer.from([0xff, 0xda, 0, 2, 1, 2, 3]);
  if (position === null) return Buffer.concat([start, comment, end]);
  const inFractions = (degrees: number) => [Math.floor(degrees), 1, 0, 1, 0, 1];
  const none = [0, 0, 0, 0, 0, 0];
  const first = 8 + 2 + 12 + 4;
  const [latitude, longitude] = position === 'no reception' ? [none, none] : position.map(inFractions);
  const main = tiffDirectory([{ tag: 34_853, type: 4, values: [first] }], {});
  const gps = tiffDirectory(
    [
      { tag: 2, type: 5, values: latitude ?? none },
      { tag: 4, type: 5, values: longitude ?? none },
    ],
    { directoryAt: first },
  ).subarray(first);
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), main, gps]);
  const segment = Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 0xff]);
  return Buffer.concat([start, comment, segment, exif, end]);
}

interface LasOptions {
  readonly minor?: number;
  readonly compressed?: boolean;
  readonly wkt?: string;
  readonly geoKeys?: readonly number[];
  /** The record stands behind this many bytes of points, as LAS 1.4 allows. */
  readonly behind?: number;
}

export function lasFile({ minor = 4, compressed = false, wkt, geoKeys, behind }: LasOptions = {}): Buffer {
  const header = Buffer.alloc(375);
  header.write('LASF', 'latin1');
  header.writeUInt8(1, 24);
  header.writeUInt8(minor, 25);
  header.writeUInt16LE(375, 94);
  header.writeUInt8(6 | (compressed ? 0x80 : 0), 104);
  const body = wkt === undefined ? shorts(geoKeys ?? []) : Buffer.from(`${wkt}\0`);
  const has = wkt !== undefined || geoKeys !== undefined;
  const record = Buffer.alloc(behind === undefined ? 54 : 60);
  record.write('LASF_Projection', 2, 'latin1');
  record.writeUInt16LE(wkt === undefined ? 34_735 : 2_112, 18);
  if (behind === undefined) record.writeUInt16LE(body.length, 20);
  else record.writeBigUInt64LE(BigInt(body.length), 20);
  if (!has) return header;
  if (behind === undefined) header.writeUInt32LE(1, 100);
  else {
    header.writeBigUInt64LE(BigInt(375 + behind), 235);
    header.writeUInt32LE(1, 243);
  }
  return Buffer.concat([header, Buffer.alloc(behind ?? 0), record, body]);
}

function shorts(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}

export const cityModel = (srsName = 'urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783', version = '2.0') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!-- srsName="EPSG:1" of an old export -->
<core:CityModel xmlns:core="http://www.opengis.net/citygml/${version}" xmlns:gml="http://www.opengis.net/gml">
  <gml:boundedBy><gml:Envelope srsDimension="3"${srsName === '' ? '' : ` srsName="${srsName}"`}/></gml:boundedBy>
</core:CityModel>`;
