import { FileBytes, isAllZeros, PastEndError, ReadLimitError, zeroProbeLength } from '../base/file-bytes.ts';
import { type Opened, unrecognizedFile, type Verdict } from '../base/format.ts';
import type { Corners } from '../systems/coordinate-system.ts';
import { type PhotoPosition, positionAt, positionInXmp } from './photo-position.ts';
import {
  readTiffDirectory,
  readTiffHeader,
  readTiffNumbers,
  readTiffText,
  type TiffDirectory,
  type TiffLayout,
} from './tiff-directory.ts';

/** Facts from a JPEG header. */
export interface JpegHead extends PhotoPosition {
  readonly kind: 'jpeg';
  /** From EXIF or XMP. */
  readonly hasPosition: boolean;
  readonly camera?: string;
  /** Days since 1970, by the camera's clock. */
  readonly day?: number;
  /** Without a position: a sidecar file may place the picture. */
  readonly size?: readonly [columns: number, rows: number];
  readonly corners?: Corners | null;
}

/** A part of a file, in bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

interface Segments {
  readonly exif: ByteRange | null;
  readonly xmp: ByteRange | null;
  /** Null if it isn't a JPEG. */
  readonly scanAt: number | null;
  readonly size: readonly [columns: number, rows: number] | null;
}

const [application1, startOfScan, endOfImage] = [0xe1, 0xda, 0xd9];
const exifMark = 'Exif\0\0';
const xmpMark = 'http://ns.adobe.com/xap/1.0/\0';
/** Bytes; cameras write less, and photo editors put positions first. */
const maxXmpLength = 32 * 1024;
const [exifDirectory, gpsDirectory] = [34_665, 34_853];
const [cameraModel, captureTime] = [272, 36_867];
const invalidNameCharacters = /[^A-Za-z0-9 .,+()/_-]/g;
const maxNameLength = 60;
/** Of digital cameras; unset clocks start earlier. */
const minYear = 1_995;
const [latitude, longitude, gpsStatus] = [2, 4, 9];
/** Hemispheres with negative degrees. */
const negativeLetters: Readonly<Record<number, string>> = { [latitude]: 'S', [longitude]: 'W' };
const maxSegments = 300;
/** Bytes searched from the end and the beginning. */
const probeLength = 64 * 1024;
const maxScanLength = 768 * 1024;

/** JPEG (ITU-T T.81, annex B), with EXIF 2.3. */
export async function readJpeg(file: FileBytes): Promise<Opened<JpegHead>> {
  if (!(await file.startsWith('\xff\xd8'))) return unrecognizedFile;
  const { exif, xmp, scanAt, size } = await readSegments(file);
  const { photoPosition = {}, ...exifFacts }: ExifFacts = exif ? await readExif(file, exif) : {};
  const xmpPosition =
    xmp && !photoPosition.position ? await nullIfUnreadable(() => readXmp(file, xmp)) : null;
  const bestPosition =
    xmpPosition && (xmpPosition.position || !photoPosition.positionFault) ? xmpPosition : photoPosition;
  const hasPosition = bestPosition.position !== undefined;
  const head: JpegHead = {
    ...{ kind: 'jpeg', hasPosition, ...bestPosition, ...exifFacts },
    ...(size && !hasPosition && { size }),
  };
  return { head, zerosAtEnd: 'nothing', end: () => (scanAt === null ? null : checkEnd(file, scanAt)) };
}

/** Reads the segments before the compressed data. Throws `PastEndError`, `ReadLimitError`. */
export async function readSegments(file: FileBytes): Promise<Segments> {
  let exif: ByteRange | null = null;
  let xmp: ByteRange | null = null;
  let size: Segments['size'] = null;
  let offset = 2;
  for (let segment = 0; segment < maxSegments; segment++) {
    const [mark = 0, kind = 0] = await file.read(offset, 2);
    if (mark !== 0xff) break;
    if (kind === 0xff) {
      offset += 1;
      continue;
    }
    if (kind === endOfImage) return { exif, xmp, size, scanAt: offset };
    const length = (await file.read(offset + 2, 2)).readUInt16BE(0);
    if (length < 2) break;
    file.requireRange(offset + 2, length);
    if (kind === application1) {
      exif ??= await rangeAfterMark(file, exifMark, offset + 4, length - 2);
      xmp ??= await rangeAfterMark(file, xmpMark, offset + 4, length - 2);
    }
    if (isFrame(kind) && length >= 7) {
      const frame = await file.read(offset + 5, 4);
      size = [frame.readUInt16BE(2), frame.readUInt16BE(0)];
    }
    offset += 2 + length;
    if (kind === startOfScan) return { exif, xmp, size, scanAt: offset };
  }
  return { exif, xmp, size, scanAt: null };
}

/** The rest of a segment with this mark, or null. */
async function rangeAfterMark(
  file: FileBytes,
  mark: string,
  offset: number,
  length: number,
): Promise<ByteRange | null> {
  if (length < mark.length || (await file.read(offset, mark.length)).toString('latin1') !== mark) return null;
  return { offset: offset + mark.length, length: length - mark.length };
}

/** Frame headers: 0xC0 to 0xCF except tables and reserved markers. */
const isFrame = (kind: number): boolean =>
  kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;

interface Exif {
  readonly file: FileBytes;
  readonly layout: TiffLayout;
  readonly fields: TiffDirectory['fields'];
}

type ExifFacts = { readonly photoPosition?: PhotoPosition } & Pick<JpegHead, 'camera' | 'day'>;

async function readXmp(file: FileBytes, { offset, length }: ByteRange): Promise<PhotoPosition> {
  return positionInXmp((await file.read(offset, Math.min(length, maxXmpLength))).toString('latin1'));
}

async function readExif(file: FileBytes, { offset, length }: ByteRange): Promise<ExifFacts> {
  const bytes = await file.read(offset, length);
  const exif = new FileBytes(length, async (start, count) => bytes.subarray(start, start + count));
  const opened = await nullIfUnreadable(async () => {
    const layout = await readTiffHeader(exif);
    return (
      layout && { file: exif, layout, ...(await readTiffDirectory(exif, layout, layout.firstDirectory)) }
    );
  });
  if (!opened) return {};
  const photoPosition = await nullIfUnreadable(() => positionIn(opened));
  const camera = await nullIfUnreadable(() => cameraIn(opened));
  const day = await nullIfUnreadable(() => dayIn(opened));
  return { ...(photoPosition && { photoPosition }), ...(camera && { camera }), ...(day !== null && { day }) };
}

/** Errors in EXIF or XMP don't affect the picture. */
async function nullIfUnreadable<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PastEndError || error instanceof ReadLimitError) return null;
    throw error;
  }
}

async function readSubDirectory({ file, layout, fields }: Exif, tag: number): Promise<Exif['fields'] | null> {
  const pointer = fields.get(tag);
  const [offset] = (pointer && (await readTiffNumbers(file, layout, pointer))) ?? [];
  return offset === undefined ? null : (await readTiffDirectory(file, layout, offset)).fields;
}

async function positionIn(exif: Exif): Promise<PhotoPosition> {
  const fields = await readSubDirectory(exif, gpsDirectory);
  if (!fields) return {};
  const { file, layout } = exif;
  const textOf = async (tag: number) => {
    const field = fields.get(tag);
    return ((field && field.count <= 4 && (await readTiffText(file, field))) || '').trim().toUpperCase();
  };
  const degrees: number[] = [];
  let hasHemispheres = true;
  for (const tag of [latitude, longitude]) {
    const field = fields.get(tag);
    // Degrees, minutes and seconds, mostly fractions; without reception 0/0.
    const numbers = field && field.count <= 3 ? await readTiffNumbers(file, layout, field) : null;
    if (!numbers?.some(Number.isFinite)) return {};
    const [wholeDegrees = 0, minutes = 0, seconds = 0] = numbers.map((number) =>
      Number.isFinite(number) ? number : 0,
    );
    const hemisphere = await textOf(tag - 1);
    const sign = hemisphere.startsWith(negativeLetters[tag] ?? '-') ? -1 : 1;
    hasHemispheres &&= hemisphere !== '' && !hemisphere.startsWith('\0');
    degrees.push(sign * (wholeDegrees + minutes / 60 + seconds / 3600));
  }
  // The satellites were lost, so this position is old.
  if ((await textOf(gpsStatus)).startsWith('V')) return { positionFault: 'void' };
  return positionAt(degrees[0] ?? Number.NaN, degrees[1] ?? Number.NaN, hasHemispheres);
}

async function cameraIn({ file, fields }: Exif): Promise<string | null> {
  const field = fields.get(cameraModel);
  const fieldText = field ? await readTiffText(file, field) : null;
  return (
    fieldText &&
    (fieldText.split('\0')[0] ?? '').replace(invalidNameCharacters, '').trim().slice(0, maxNameLength)
  );
}

/** `2025:06:01 12:00:00`; unset clocks give zeros or spaces. */
async function dayIn(exif: Exif): Promise<number | null> {
  const field = (await readSubDirectory(exif, exifDirectory))?.get(captureTime);
  const fieldText = field ? await readTiffText(exif.file, field) : null;
  const [, year, month, day] = (/^(\d{4}):(\d\d):(\d\d) /.exec(fieldText ?? '') ?? []).map(Number);
  if (!year || !month || !day || year < minYear || month > 12 || day > 31) return null;
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/**
 * Requires an end marker after the compressed data; films or further pictures may follow. Within the data, a
 * zero follows each 0xFF.
 */
async function checkEnd(file: FileBytes, scanAt: number): Promise<Verdict> {
  const tailAt = Math.max(scanAt, file.size - probeLength);
  const tail = await file.read(tailAt, file.size - tailAt);
  if (tail.includes('\xff\xd9', 0, 'latin1') || hasForeignMarkers(tail)) return null;
  if (tail.length === probeLength && isAllZeros(tail)) return endsBeforeZeros(file, scanAt);
  for (let offset = scanAt; offset < Math.min(tailAt, scanAt + maxScanLength); offset += probeLength - 1) {
    const page = await file.read(offset, Math.min(probeLength, file.size - offset));
    if (page.includes('\xff\xd9', 0, 'latin1')) return null;
  }
  return 'noEnd';
}

/** Some cameras pad complete pictures with zeros; the data itself never has many. */
async function endsBeforeZeros(file: FileBytes, scanAt: number): Promise<Verdict> {
  let [low, high] = [scanAt, file.size - probeLength];
  while (high - low > zeroProbeLength) {
    const middle = low + Math.floor((high - low) / 2);
    const isZero = isAllZeros(await file.read(middle, Math.min(zeroProbeLength, file.size - middle)));
    [low, high] = isZero ? [low, middle] : [middle, high];
  }
  const offset = Math.max(scanAt, low - 1);
  const lastBytes = await file.read(offset, Math.min(2 * zeroProbeLength, file.size - offset));
  return lastBytes.includes('\xff\xd9', 0, 'latin1') || hasForeignMarkers(lastBytes) ? null : 'zeros';
}

/** Markers that JPEG data can't have. */
function hasForeignMarkers(bytes: Buffer): boolean {
  let foreignMarkers = 0;
  for (
    let offset = bytes.indexOf(0xff);
    offset >= 0 && offset + 1 < bytes.length;
    offset = bytes.indexOf(0xff, offset + 1)
  ) {
    const kind = bytes[offset + 1] ?? 0;
    const isKnown = kind === 0 || (kind >= 0xd0 && kind <= 0xef) || kind === 0xc4 || kind >= 0xfe;
    if (!isKnown && ++foreignMarkers > 8) return true;
  }
  return false;
}
