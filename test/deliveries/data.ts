import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { archiveOf } from '../unit/inspect/formats/archive-files.ts';
import { las as lasOf } from '../unit/inspect/formats/sample-files.ts';
import { tiffDirectory, tiffHeader } from '../unit/inspect/formats/tiff-directory.ts';

/** The smallest complete files of their formats. `content` distinguishes files of equal size. */

/**
 * A grey image with one pixel per strip and a strip per character of the filling (TIFF 6.0, sections 2 and
 * 4), in EPSG:25832 (GeoTIFF 1.1).
 */
export const tiff = (content = 'x'): Buffer => tiffWith(content, [1, 1, 0, 1, 3072, 0, 1, 25_832]);

/** A TIFF without a coordinate system. */
export const tiffWithoutSystem = (content = 'x'): Buffer => tiffWith(content, null);

function tiffWith(content: string, geoKeys: readonly number[] | null): Buffer {
  const pixels = Buffer.from(content, 'latin1');
  const at = 8 + pixels.length + (pixels.length % 2);
  const directory = tiffDirectory(
    [
      [256, 4, [1]],
      [257, 4, [pixels.length]],
      [258, 3, [8]],
      [259, 3, [1]],
      [262, 3, [1]],
      [273, 4, [8]],
      [277, 3, [1]],
      [278, 4, [pixels.length]],
      [279, 4, [pixels.length]],
      ...(geoKeys ? [[34_735, 3, geoKeys] as const] : []),
    ],
    { at },
  );
  return Buffer.concat([tiffHeader(at), pixels, Buffer.alloc(pixels.length % 2), directory]);
}

/** Points of format 0 (LAS 1.2). */
export const las = (points = 10): Buffer => lasOf({ points });

/**
 * A comment between start and end markers (ISO/IEC 10918-1, annex B): structurally complete, without an
 * image.
 */
export function jpeg(content = 'x'): Buffer {
  const comment = Buffer.from(content, 'latin1');
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(comment.length + 2, 4);
  return Buffer.concat([head, comment, Buffer.from([0xff, 0xd9])]);
}

/** An archive with stored, uncompressed content (PKWARE APPNOTE 4.3). */
export const zip = (content = 'x'): Buffer => archiveOf({ 'a.txt': content }, { stored: true });

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
  const comment = bytes > 0 ? `<!--${'x'.repeat(bytes)}-->\n` : '';
  return `${head}${comment}</core:CityModel>\n`;
}
