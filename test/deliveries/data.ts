import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';

/** The smallest complete files of their formats. `filling` distinguishes files of equal size. */

/**
 * A grey image with one pixel per strip and a strip per character of the filling (TIFF 6.0, sections 2 and
 * 4), in EPSG:25832 (GeoTIFF 1.1).
 */
export const tiff = (filling = 'x'): Buffer => tiffWith(filling, [1, 1, 0, 1, 3072, 0, 1, 25_832]);

/** A TIFF without a coordinate system. */
export const tiffWithoutSystem = (filling = 'x'): Buffer => tiffWith(filling, null);

function tiffWith(filling: string, geoKeys: readonly number[] | null): Buffer {
  const pixels = Buffer.from(filling, 'latin1');
  const keysAt = 8 + pixels.length + (pixels.length % 2);
  const entries: readonly (readonly [tag: number, type: 3 | 4, value: number])[] = [
    [256, 4, 1],
    [257, 4, pixels.length],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 4, pixels.length],
    [279, 4, pixels.length],
    ...(geoKeys ? [[34_735, 3, keysAt] as const] : []),
  ];
  const directoryAt = keysAt + (geoKeys?.length ?? 0) * 2;
  const bytes = Buffer.alloc(directoryAt + 2 + entries.length * 12 + 4);
  bytes.write('II', 0, 'latin1');
  bytes.writeUInt16LE(42, 2);
  bytes.writeUInt32LE(directoryAt, 4);
  pixels.copy(bytes, 8);
  for (const [index, key] of (geoKeys ?? []).entries()) bytes.writeUInt16LE(key, keysAt + index * 2);
  bytes.writeUInt16LE(entries.length, directoryAt);
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = directoryAt + 2 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    const count = tag === 34_735 ? (geoKeys?.length ?? 0) : 1;
    bytes.writeUInt32LE(count, at + 4);
    if (type === 3 && count === 1) bytes.writeUInt16LE(value, at + 8);
    else bytes.writeUInt32LE(value, at + 8);
  }
  return bytes;
}

/** Points of format 0 (LAS 1.2). */
export function las(points = 10): Buffer {
  const bytes = Buffer.alloc(227 + points * 20, 1);
  bytes.fill(0, 0, 227);
  bytes.write('LASF', 0, 'latin1');
  bytes.writeUInt8(1, 24);
  bytes.writeUInt8(2, 25);
  bytes.writeUInt16LE(227, 94);
  bytes.writeUInt32LE(227, 96);
  bytes.writeUInt16LE(20, 105);
  bytes.writeUInt32LE(points, 107);
  return bytes;
}

/**
 * A comment between start and end markers (ISO/IEC 10918-1, annex B): structurally complete, without an
 * image.
 */
export function jpeg(filling = 'x'): Buffer {
  const comment = Buffer.from(filling, 'latin1');
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(comment.length + 2, 4);
  return Buffer.concat([head, comment, Buffer.from([0xff, 0xd9])]);
}

/** An archive with stored, uncompressed content (PKWARE APPNOTE 4.3). */
export function zip(filling = 'x'): Buffer {
  const content = Buffer.from(filling, 'latin1');
  const name = Buffer.from('a.txt');
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt32LE(content.length, 18);
  local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt32LE(content.length, 20);
  central.writeUInt32LE(content.length, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + content.length, 16);
  return Buffer.concat([local, name, content, central, name, end]);
}

/**
 * Random bytes in a complete file of the extension's format; photos and rasters have exactly this even
 * length.
 */
export function anyFile(name: string, length: number): Buffer {
  const bytes = randomBytes(length);
  switch (extname(name).toLowerCase()) {
    case '.jpg':
      // Without segments, readers can't determine the image's end.
      return Buffer.concat([Buffer.from([0xff, 0xd8, 0, 0]), bytes.subarray(4)]);
    case '.tif':
      return tiff(bytes.toString('latin1', tiff('').length));
    case '.las':
    case '.laz':
      return Buffer.concat([las(), bytes]);
    case '.xyz':
      return bytes.map((byte) => 48 + (byte % 10)) as Buffer;
    default:
      return bytes;
  }
}

/** A model with a location (OGC 12-007r2, 12.5), without its file. */
export const kml = (): string =>
  '<kml><Placemark><Model><Location><longitude>13</longitude><latitude>52</latitude></Location></Model></Placemark></kml>';

/** A CityGML document without buildings, in EPSG:25833. `bytes`: length of a comment in it. */
export function cityText(bytes = 0): string {
  const head = `<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:gml="http://www.opengis.net/gml">
<gml:boundedBy><gml:Envelope srsName="EPSG:25833" srsDimension="3"><gml:lowerCorner>390000 5819000 30</gml:lowerCorner><gml:upperCorner>390100 5819100 60</gml:upperCorner></gml:Envelope></gml:boundedBy>
`;
  const filling = bytes > 0 ? `<!--${'x'.repeat(bytes)}-->\n` : '';
  return `${head}${filling}</core:CityModel>\n`;
}
