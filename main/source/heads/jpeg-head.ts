import type { FilePieces } from './file-pieces.ts';
import { readTiffDirectory, readTiffHeader, readTiffNumbers } from './tiff-directory.ts';

/** What the head of a JPEG says. */
export interface JpegHead {
  readonly kind: 'jpeg';
  /** Its EXIF data tell where it was taken. */
  readonly hasPosition: boolean;
}

const application1 = 0xe1;
const startOfScan = 0xda;
const exifMark = 'Exif\0\0';
const gpsDirectory = 34_853;
const [latitude, longitude] = [2, 4];

/** Null for what is no JPEG, and while pieces are missing. */
export function readJpegHead(file: FilePieces): JpegHead | null {
  if (file.take(0, 2)?.toString('hex') !== 'ffd8') return null;
  const exif = findExif(file);
  if (exif === null) return file.wanted === null ? { kind: 'jpeg', hasPosition: false } : null;
  const header = readTiffHeader(file, exif);
  const first = header && readTiffDirectory(file, header, header.first);
  const pointer = first?.get(gpsDirectory);
  if (!header || !pointer) return file.wanted === null ? { kind: 'jpeg', hasPosition: false } : null;
  const [at] = readTiffNumbers(file, header, pointer) ?? [];
  const gps = at === undefined ? null : readTiffDirectory(file, header, header.base + at);
  const hasPosition = [latitude, longitude].every((tag) => {
    const field = gps?.get(tag);
    // Degrees, minutes and seconds as fractions; a camera without reception writes them as 0/0.
    const numbers = field?.count === 3 ? readTiffNumbers(file, header, field) : null;
    return numbers?.some((number, index) => index % 2 === 1 && number !== 0);
  });
  return file.wanted === null ? { kind: 'jpeg', hasPosition } : null;
}

/** Where the TIFF in the EXIF segment begins; null where there is none. */
function findExif(file: FilePieces): number | null {
  let at = 2;
  for (;;) {
    const segment = file.take(at, 4);
    const marker = segment?.[1];
    if (segment?.[0] !== 0xff || marker === undefined || marker === startOfScan) return null;
    if (marker === application1 && file.take(at + 4, 6)?.toString('latin1') === exifMark) return at + 10;
    at += 2 + Math.max(2, segment.readUInt16BE(2));
  }
}
