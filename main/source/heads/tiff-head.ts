import { systemOfGeoKeys } from './coordinate-system.ts';
import type { FilePieces } from './file-pieces.ts';
import { readTiffDirectory, readTiffHeader, readTiffNumbers } from './tiff-directory.ts';

/** What the head of a TIFF says (TIFF 6.0; GeoTIFF 1.1). */
export interface TiffHead {
  readonly kind: 'tiff';
  readonly bands: number;
  /** Of one sample. */
  readonly bits: number;
  readonly sample: 'unsigned' | 'signed' | 'float';
  /** Its samples are numbers of colours. */
  readonly palette: boolean;
  /** `EPSG:25832`, or in words; null where it names none. */
  readonly system: string | null;
  /** It has GeoTIFF keys or a place, whether or not they name a coordinate system. */
  readonly geo: boolean;
}

const tags = { bits: 258, photometric: 262, samples: 277, sampleFormat: 339, scale: 33_550, geoKeys: 34_735 };
const paletteColours = 3;
const formats = { 2: 'signed', 3: 'float' } as const;

/** Null for what is no TIFF, and while pieces are missing. */
export function readTiffHead(file: FilePieces): TiffHead | null {
  const header = readTiffHeader(file, 0);
  const fields = header && readTiffDirectory(file, header, header.first);
  if (!fields) return null;
  const numbers = (tag: number) => {
    const field = fields.get(tag);
    return field ? readTiffNumbers(file, header, field) : [];
  };
  const [bits, samples, format, photometric, geoKeys] = [
    numbers(tags.bits),
    numbers(tags.samples),
    numbers(tags.sampleFormat),
    numbers(tags.photometric),
    numbers(tags.geoKeys),
  ];
  // A picture can be told without its values only when they are not there at all.
  if (!bits || !samples || !format || !photometric || !geoKeys) return null;
  return {
    kind: 'tiff',
    bands: samples[0] ?? 1,
    bits: bits[0] ?? 1,
    sample: format[0] === 2 || format[0] === 3 ? formats[format[0]] : 'unsigned',
    palette: photometric[0] === paletteColours,
    system: systemOfGeoKeys(geoKeys),
    geo: fields.has(tags.geoKeys) || fields.has(tags.scale),
  };
}
