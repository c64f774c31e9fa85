import { areZeros, FileBytes, glimpse, PastEnd, ReadEnough } from '../base/file-bytes.ts';
import { type Opened, somethingElse, type Verdict } from '../base/format.ts';
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

interface Stretch {
  readonly at: number;
  readonly length: number;
}

interface Segments {
  readonly exif: Stretch | null;
  readonly xmp: Stretch | null;
  /** Null if it isn't a JPEG. */
  readonly scanAt: number | null;
  readonly size: readonly [columns: number, rows: number] | null;
}

const [application1, startOfScan, endOfImage] = [0xe1, 0xda, 0xd9];
const exifMark = 'Exif\0\0';
const xmpMark = 'http://ns.adobe.com/xap/1.0/\0';
/** Bytes; cameras write less, and photo editors put positions first. */
const longestXmp = 32 * 1024;
const [exifDirectory, gpsDirectory] = [34_665, 34_853];
const [model, takenOn] = [272, 36_867];
const noName = /[^A-Za-z0-9 .,+()/_-]/g;
const longestName = 60;
/** Of digital cameras; unset clocks start earlier. */
const firstYear = 1_995;
const [latitude, longitude, status] = [2, 4, 9];
/** Hemispheres with negative degrees. */
const backwards: Readonly<Record<number, string>> = { [latitude]: 'S', [longitude]: 'W' };
const maxSegments = 300;
/** Bytes searched from the end and the beginning. */
const reach = 64 * 1024;
const forward = 768 * 1024;

/** JPEG (ITU-T T.81, annex B), with EXIF 2.3. */
export async function readJpeg(file: FileBytes): Promise<Opened<JpegHead>> {
  if (!(await file.begins('\xff\xd8'))) return somethingElse;
  const { exif, xmp, scanAt, size } = await readSegments(file);
  const { place = {}, ...says }: ExifSays = exif ? await readExif(file, exif) : {};
  const inXmp = xmp && !place.position ? await orNull(() => readXmp(file, xmp)) : null;
  const best = inXmp && (inXmp.position || !place.positionFault) ? inXmp : place;
  const hasPosition = best.position !== undefined;
  const head: JpegHead = {
    ...{ kind: 'jpeg', hasPosition, ...best, ...says },
    ...(size && !hasPosition && { size }),
  };
  return {
    head,
    zerosAtEnd: 'nothing',
    end: () => (scanAt === null ? null : judge(file, scanAt)),
  };
}

async function readSegments(file: FileBytes): Promise<Segments> {
  let exif: Stretch | null = null;
  let xmp: Stretch | null = null;
  let size: Segments['size'] = null;
  let at = 2;
  for (let segment = 0; segment < maxSegments; segment++) {
    const [mark = 0, kind = 0] = await file.take(at, 2);
    if (mark !== 0xff) break;
    if (kind === 0xff) {
      at += 1;
      continue;
    }
    if (kind === endOfImage) return { exif, xmp, size, scanAt: at };
    const length = (await file.take(at + 2, 2)).readUInt16BE(0);
    if (length < 2) break;
    file.need(at + 2, length);
    if (kind === application1) {
      exif ??= await stretchBehind(file, exifMark, at + 4, length - 2);
      xmp ??= await stretchBehind(file, xmpMark, at + 4, length - 2);
    }
    if (isFrame(kind) && length >= 7) {
      const frame = await file.take(at + 5, 4);
      size = [frame.readUInt16BE(2), frame.readUInt16BE(0)];
    }
    at += 2 + length;
    if (kind === startOfScan) return { exif, xmp, size, scanAt: at };
  }
  return { exif, xmp, size, scanAt: null };
}

/** The rest of a segment with this mark, or null. */
async function stretchBehind(
  file: FileBytes,
  mark: string,
  at: number,
  length: number,
): Promise<Stretch | null> {
  if (length < mark.length || (await file.take(at, mark.length)).toString('latin1') !== mark) return null;
  return { at: at + mark.length, length: length - mark.length };
}

/** Frame headers: 0xC0 to 0xCF except tables and reserved markers. */
const isFrame = (kind: number): boolean =>
  kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;

interface Exif {
  readonly file: FileBytes;
  readonly layout: TiffLayout;
  readonly fields: TiffDirectory['fields'];
}

type ExifSays = { readonly place?: PhotoPosition } & Pick<JpegHead, 'camera' | 'day'>;

async function readXmp(file: FileBytes, { at, length }: Stretch): Promise<PhotoPosition> {
  return positionInXmp((await file.take(at, Math.min(length, longestXmp))).toString('latin1'));
}

async function readExif(file: FileBytes, { at, length }: Stretch): Promise<ExifSays> {
  const bytes = await file.take(at, length);
  const exif = new FileBytes(length, async (from, most) => bytes.subarray(from, from + most));
  const opened = await orNull(async () => {
    const layout = await readTiffHeader(exif);
    return layout && { file: exif, layout, ...(await readTiffDirectory(exif, layout, layout.first)) };
  });
  if (!opened) return {};
  const place = await orNull(() => positionIn(opened));
  const camera = await orNull(() => cameraIn(opened));
  const day = await orNull(() => dayIn(opened));
  return { ...(place && { place }), ...(camera && { camera }), ...(day !== null && { day }) };
}

/** Errors in EXIF or XMP don't affect the picture. */
async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof PastEnd || thrown instanceof ReadEnough) return null;
    throw thrown;
  }
}

async function fieldsBelow({ file, layout, fields }: Exif, tag: number): Promise<Exif['fields'] | null> {
  const pointer = fields.get(tag);
  const [at] = (pointer && (await readTiffNumbers(file, layout, pointer))) ?? [];
  return at === undefined ? null : (await readTiffDirectory(file, layout, at)).fields;
}

async function positionIn(exif: Exif): Promise<PhotoPosition> {
  const fields = await fieldsBelow(exif, gpsDirectory);
  if (!fields) return {};
  const { file, layout } = exif;
  const textOf = async (tag: number) => {
    const field = fields.get(tag);
    return ((field && field.count <= 4 && (await readTiffText(file, field))) || '').trim().toUpperCase();
  };
  const degrees: number[] = [];
  let isSure = true;
  for (const tag of [latitude, longitude]) {
    const field = fields.get(tag);
    // Degrees, minutes and seconds, mostly fractions; without reception 0/0.
    const numbers = field && field.count <= 3 ? await readTiffNumbers(file, layout, field) : null;
    if (!numbers?.some(Number.isFinite)) return {};
    const [whole = 0, minutes = 0, seconds = 0] = numbers.map((one) => (Number.isFinite(one) ? one : 0));
    const letter = await textOf(tag - 1);
    const sign = letter.startsWith(backwards[tag] ?? '-') ? -1 : 1;
    isSure &&= letter !== '' && !letter.startsWith('\0');
    degrees.push(sign * (whole + minutes / 60 + seconds / 3600));
  }
  // The satellites were lost, so this position is old.
  if ((await textOf(status)).startsWith('V')) return { positionFault: 'void' };
  return positionAt(degrees[0] ?? Number.NaN, degrees[1] ?? Number.NaN, isSure);
}

async function cameraIn({ file, fields }: Exif): Promise<string | null> {
  const field = fields.get(model);
  const words = field ? await readTiffText(file, field) : null;
  return words && (words.split('\0')[0] ?? '').replace(noName, '').trim().slice(0, longestName);
}

/** `2025:06:01 12:00:00`; unset clocks give zeros or spaces. */
async function dayIn(exif: Exif): Promise<number | null> {
  const field = (await fieldsBelow(exif, exifDirectory))?.get(takenOn);
  const words = field ? await readTiffText(exif.file, field) : null;
  const [, year, month, day] = (/^(\d{4}):(\d\d):(\d\d) /.exec(words ?? '') ?? []).map(Number);
  if (!year || !month || !day || year < firstYear || month > 12 || day > 31) return null;
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/**
 * Requires an end marker after the compressed data; films or further pictures may follow. Within the data, a
 * zero follows each 0xFF.
 */
async function judge(file: FileBytes, scanAt: number): Promise<Verdict> {
  const tailAt = Math.max(scanAt, file.size - reach);
  const tail = await file.take(tailAt, file.size - tailAt);
  if (tail.includes('\xff\xd9', 0, 'latin1') || isSomethingElse(tail)) return null;
  if (tail.length === reach && areZeros(tail)) return endsBeforeZeros(file, scanAt);
  for (let at = scanAt; at < Math.min(tailAt, scanAt + forward); at += reach - 1) {
    const page = await file.take(at, Math.min(reach, file.size - at));
    if (page.includes('\xff\xd9', 0, 'latin1')) return null;
  }
  return 'noEnd';
}

/** Some cameras pad complete pictures with zeros; the data itself never has many. */
async function endsBeforeZeros(file: FileBytes, scanAt: number): Promise<Verdict> {
  let [from, to] = [scanAt, file.size - reach];
  while (to - from > glimpse) {
    const middle = from + Math.floor((to - from) / 2);
    const isZero = areZeros(await file.take(middle, Math.min(glimpse, file.size - middle)));
    [from, to] = isZero ? [from, middle] : [middle, to];
  }
  const at = Math.max(scanAt, from - 1);
  const last = await file.take(at, Math.min(2 * glimpse, file.size - at));
  return last.includes('\xff\xd9', 0, 'latin1') || isSomethingElse(last) ? null : 'zeros';
}

/** Markers that JPEG data can't have. */
function isSomethingElse(bytes: Buffer): boolean {
  let strange = 0;
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const kind = bytes[at + 1] ?? 0;
    const isKnown = kind === 0 || (kind >= 0xd0 && kind <= 0xef) || kind === 0xc4 || kind >= 0xfe;
    if (!isKnown && ++strange > 8) return true;
  }
  return false;
}
