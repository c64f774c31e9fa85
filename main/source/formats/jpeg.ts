import type { Corners } from './coordinate-system.ts';
import { FileBytes, PastEnd } from './file-bytes.ts';
import { type Opened, somethingElse, type Verdict } from './format.ts';
import { readTiffDirectory, readTiffHeader, readTiffNumbers, readTiffText } from './tiff-directory.ts';

/** What the head of a JPEG says. */
export interface JpegHead {
  readonly kind: 'jpeg';
  /** Its EXIF data tell where it was taken. */
  readonly hasPosition: boolean;
  /** The same in another photo: taken in the same place, to a metre. */
  readonly spot?: string;
  /** It has no place of its own: a file beside it may tell it. */
  readonly size?: readonly [columns: number, rows: number];
  readonly corners?: Corners | null;
}

interface Segments {
  /** Where the TIFF of the EXIF data lies, and how long it is. */
  readonly exif: { readonly at: number; readonly length: number } | null;
  /** Where the compressed data begins; null for what is no JPEG after all. */
  readonly scanAt: number | null;
  readonly size: readonly [columns: number, rows: number] | null;
}

const [application1, startOfScan, endOfImage] = [0xe1, 0xda, 0xd9];
const exifMark = 'Exif\0\0';
const gpsDirectory = 34_853;
const [latitude, longitude] = [2, 4];
/** Letters of the halves of the earth where degrees count backwards, in the field before each. */
const backwards: Readonly<Record<number, string>> = { [latitude]: 'S', [longitude]: 'W' };
const maxSegments = 300;
/** Bytes that are looked through from the end of a picture, or from its beginning. */
const reach = 64 * 1024;
const forward = 768 * 1024;

/** JPEG (ITU-T T.81, annex B), with EXIF 2.3. */
export async function readJpeg(file: FileBytes): Promise<Opened<JpegHead>> {
  if (!(await file.begins('\xff\xd8'))) return somethingElse;
  const { exif, scanAt, size } = await readSegments(file);
  const spot = exif && (await spotIn(file, exif));
  return {
    head: {
      kind: 'jpeg',
      hasPosition: spot !== null,
      ...(spot !== null && { spot }),
      ...(size && spot === null && { size }),
    },
    end: () => (scanAt === null ? null : judge(file, scanAt)),
  };
}

async function readSegments(file: FileBytes): Promise<Segments> {
  let exif: Segments['exif'] = null;
  let size: Segments['size'] = null;
  let at = 2;
  for (let segment = 0; segment < maxSegments; segment++) {
    const [mark = 0, kind = 0] = await file.take(at, 2);
    if (mark !== 0xff) break;
    if (kind === 0xff) {
      at += 1;
      continue;
    }
    if (kind === endOfImage) return { exif, size, scanAt: at };
    const length = (await file.take(at + 2, 2)).readUInt16BE(0);
    if (length < 2) break;
    file.need(at + 2, length);
    if (kind === application1 && length >= 8 && exif === null) {
      const isExif = (await file.take(at + 4, 6)).toString('latin1') === exifMark;
      if (isExif) exif = { at: at + 10, length: length - 8 };
    }
    if (isFrame(kind) && length >= 7) {
      const frame = await file.take(at + 5, 4);
      size = [frame.readUInt16BE(2), frame.readUInt16BE(0)];
    }
    at += 2 + length;
    if (kind === startOfScan) return { exif, size, scanAt: at };
  }
  return { exif, size, scanAt: null };
}

/** Where its size stands: all from 0xC0 to 0xCF but tables and reserved ones. */
const isFrame = (kind: number): boolean =>
  kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;

/** What is wrong with the EXIF data is not wrong with the picture. */
async function spotIn(
  file: FileBytes,
  { at, length }: NonNullable<Segments['exif']>,
): Promise<string | null> {
  const bytes = await file.take(at, length);
  const exif = new FileBytes(length, async (from, most) => bytes.subarray(from, from + most));
  try {
    const layout = await readTiffHeader(exif);
    const pointer = layout && (await readTiffDirectory(exif, layout, layout.first)).fields.get(gpsDirectory);
    const [gpsAt] = (pointer && (await readTiffNumbers(exif, layout, pointer))) ?? [];
    if (!layout || gpsAt === undefined) return null;
    const { fields } = await readTiffDirectory(exif, layout, gpsAt);
    const degrees: number[] = [];
    for (const tag of [latitude, longitude]) {
      const field = fields.get(tag);
      // Degrees, minutes and seconds, mostly as fractions; a camera without reception writes them as 0/0.
      const numbers = field && field.count <= 3 ? await readTiffNumbers(exif, layout, field) : null;
      if (!numbers?.some(Number.isFinite)) return null;
      const [whole = 0, minutes = 0, seconds = 0] = numbers.map((one) => (Number.isFinite(one) ? one : 0));
      const half = fields.get(tag - 1);
      const letter = half && half.count <= 4 ? await readTiffText(exif, half) : null;
      const sign = letter?.toUpperCase().startsWith(backwards[tag] ?? '-') ? -1 : 1;
      degrees.push(sign * (whole + minutes / 60 + seconds / 3600));
    }
    return degrees.map((one) => one.toFixed(5)).join(' ');
  } catch (thrown) {
    if (thrown instanceof PastEnd) return null;
    throw thrown;
  }
}

/**
 * An end marker somewhere behind the begin of the compressed data. Behind the picture there may be anything:
 * a film, further pictures. A marker inside of the data would have a zero behind its first byte.
 */
async function judge(file: FileBytes, scanAt: number): Promise<Verdict> {
  const tailAt = Math.max(scanAt, file.size - reach);
  const tail = await file.take(tailAt, file.size - tailAt);
  if (tail.includes('\xff\xd9', 0, 'latin1') || isSomethingElse(tail)) return null;
  for (let at = scanAt; at < Math.min(tailAt, scanAt + forward); at += reach - 1) {
    const page = await file.take(at, Math.min(reach, file.size - at));
    if (page.includes('\xff\xd9', 0, 'latin1')) return null;
  }
  return 'noEnd';
}

/** Too many marks that a JPEG’s data can’t hold. */
function isSomethingElse(bytes: Buffer): boolean {
  let strange = 0;
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const kind = bytes[at + 1] ?? 0;
    const isKnown = kind === 0 || (kind >= 0xd0 && kind <= 0xef) || kind === 0xc4 || kind >= 0xfe;
    if (!isKnown && ++strange > 8) return true;
  }
  return false;
}
