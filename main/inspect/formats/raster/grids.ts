import type { FileBytes } from '../base/file-bytes.ts';
import { type Beside, type Opened, somethingElse, type Verdict } from '../base/format.ts';
import { type Corners, cornersOfBox, type NamedSystem, noSystem } from '../systems/coordinate-system.ts';

/** Header facts of any raster. */
export interface PlainRaster extends NamedSystem {
  readonly bands: number;
  /** Per sample. */
  readonly bits: number;
  readonly sample: 'unsigned' | 'signed' | 'float';
  readonly palette: false;
  readonly corners: Corners | null;
  /** The value of empty cells. */
  readonly noData?: number;
}

/** A raw raster with an ESRI header file; a third file has its system. */
export interface PlainHead extends PlainRaster {
  readonly kind: 'plain';
}

const longestHeader = 16 * 1024;

/** Raw rasters with a header file: ESRI's BIL, BIP, BSQ and FLT, and ENVI's. */
export async function readPlainRaster(file: FileBytes, beside: Beside): Promise<Opened<PlainHead>> {
  const header = await beside('.hdr');
  if (header === null) return { head: null, end: () => null, degree: 'no-reader' };
  const text = header.toString('latin1', 0, longestHeader);
  const isEnvi = text.trimStart().startsWith('ENVI');
  const words = isEnvi ? null : esriWords(text);
  return {
    head: words && esriHead(words),
    ...(!words && { degree: 'end-only' as const }),
    end: () => {
      file.need(0, words ? esriLength(words, file) : enviLength(text));
      return null;
    },
  };
}

type Words = ReadonlyMap<string, string>;

/** `NAME value`, in lower case. */
function esriWords(text: string): Words {
  const values = new Map<string, string>();
  for (const line of text.split(/[\r\n]+/)) {
    const [name = '', value = ''] = line
      .trim()
      .toLowerCase()
      .split(/[\s=]+/);
    values.set(name, value);
  }
  return values;
}

const wholeIn = (words: Words, name: string, otherwise: number) => whole(words.get(name)) ?? otherwise;

/** Cell size without bits means floats. */
const isOfFloats = (words: Words): boolean =>
  words.get('pixeltype') === 'float' || (!words.has('nbits') && words.has('cellsize'));

/** `ulxmap` and `ulymap` are pixel centres. */
function esriHead(words: Words): PlainHead | null {
  const [rows, columns] = [wholeIn(words, 'nrows', 0), wholeIn(words, 'ncols', 0)];
  if (rows === 0 || columns === 0) return null;
  const of = (...names: readonly string[]) =>
    decimalIn(names.map((name) => words.get(name)).find(Boolean) ?? '');
  const [width, height] = [of('xdim', 'cellsize'), of('ydim', 'cellsize')];
  const [left, top] = [of('ulxmap') - width / 2, of('ulymap') + height / 2];
  const corners = Number.isNaN(left + top)
    ? cornersOf(of, columns, rows)
    : cornersOfBox(left, top - rows * height, left + columns * width, top);
  const noData = of('nodata', 'nodata_value');
  const sample = isOfFloats(words) ? 'float' : words.get('pixeltype') === 'signedint' ? 'signed' : 'unsigned';
  return {
    ...{ kind: 'plain', ...noSystem, bands: wholeIn(words, 'nbands', 1), palette: false, sample, corners },
    bits: wholeIn(words, 'nbits', isOfFloats(words) ? 32 : 8),
    ...(Number.isNaN(noData) ? {} : { noData }),
  };
}

function esriLength(words: Words, { size }: FileBytes): number {
  const [rows, columns] = [wholeIn(words, 'nrows', 0), wholeIn(words, 'ncols', 0)];
  const bits = wholeIn(words, 'nbits', isOfFloats(words) ? 32 : 8);
  const bands = wholeIn(words, 'nbands', 1);
  const row = wholeIn(words, 'bandrowbytes', Math.ceil((columns * bits) / 8));
  const isSequential = words.get('layout') === 'bsq';
  const gaps = isSequential ? wholeIn(words, 'bandgapbytes', 0) * (bands - 1) : 0;
  const total = isSequential ? row * bands : Math.max(wholeIn(words, 'totalrowbytes', 0), row * bands);
  const length = wholeIn(words, 'skipbytes', 0) + total * rows + gaps;
  return Number.isSafeInteger(length) ? length : size;
}

const bytesOfType: Readonly<Record<number, number>> = {
  1: 1,
  2: 2,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  9: 16,
  12: 2,
  13: 4,
  14: 8,
  15: 8,
};

function enviLength(text: string): number {
  const number = (name: string) => {
    const line = text.split(/[\r\n]+/).find((one) => one.trim().toLowerCase().startsWith(name));
    return whole(line?.split('=')[1]?.trim());
  };
  const [samples, lines, bands] = [number('samples') ?? 0, number('lines') ?? 0, number('bands') ?? 1];
  const bytes = bytesOfType[number('data type') ?? 0] ?? 0;
  return (number('header offset') ?? 0) + samples * lines * bands * bytes;
}

function whole(word: string | undefined): number | undefined {
  return word !== undefined && /^\d{1,15}$/.test(word) ? Number(word) : undefined;
}

/** Bytes; shorter grids are read whole to count numbers. */
const maxCounted = 512 * 1024;
/** Bytes at each end of longer grids, whose first and last rows must be equally long. */
const reach = 128 * 1024;

/** An ASCII grid, which can't name a coordinate system. */
export interface GridHead {
  readonly kind: 'grid';
  readonly corners: Corners | null;
}

/** Reads ESRI's ASCII grid; other formats use `.asc` too. */
export async function readAsciiGrid(file: FileBytes): Promise<Opened<GridHead>> {
  const start = await file.beginning(reach);
  const words = start.toString('latin1', 0, 1_024).trim().toLowerCase().split(/\s+/);
  const of = (...names: readonly string[]) =>
    words.find((_, index) => names.includes(words[index - 1] ?? '')) ?? '';
  const [columns, rows] = [Number.parseInt(of('ncols'), 10), Number.parseInt(of('nrows'), 10)];
  if (!(columns >= 0 && rows >= 0)) return somethingElse;
  return {
    head: { kind: 'grid', corners: cornersOf((...names) => decimalIn(of(...names)), columns, rows) },
    end: () => gridEnd(file, start, columns, rows),
  };
}

/** GDAL also reads decimal commas. */
const decimalIn = (word: string): number => (word === '' ? Number.NaN : Number(word.replace(',', '.')));

function cornersOf(
  of: (...names: readonly string[]) => number,
  columns: number,
  rows: number,
): Corners | null {
  const [width, height] = [of('cellsize', 'dx'), of('cellsize', 'dy')];
  const edge = (corner: string, centre: string, size: number) => {
    const value = of(corner);
    return Number.isNaN(value) ? of(centre) - size / 2 : value;
  };
  const [west, south] = [edge('xllcorner', 'xllcenter', width), edge('yllcorner', 'yllcenter', height)];
  return cornersOfBox(west, south, west + columns * width, south + rows * height);
}

/** Requires two bytes per cell and as many numbers as cells. */
async function gridEnd(file: FileBytes, start: Buffer, columns: number, rows: number): Promise<Verdict> {
  file.need(0, columns * rows * 2 - 1);
  if (file.size <= maxCounted)
    return rowsOf(await file.first(maxCounted)).numbers < columns * rows ? 'tooShort' : null;
  const [begin, end] = [rowsOf(start), rowsOf(await file.last(reach))];
  const isEven = begin.rows > 1 && begin.first === columns;
  return isEven && end.rows > 1 && end.last !== columns ? 'tooShort' : null;
}

const [newline, carriageReturn] = [10, 13];
const isSpace = (sign: number): boolean => sign === 32 || (sign >= 9 && sign <= 13) || sign === 0xa0;
/** GDAL accepts any word as a value, even `nan`, `inf` or `null` at the start of a line. */
function beginsNumber(bytes: Buffer, at: number): boolean {
  const letter = (bytes[at] ?? 0) | 32;
  return letter < 97 || letter > 122 || /^(?:nan|inf|null)/i.test(bytes.toString('latin1', at, at + 4));
}

/** Counts lines that begin with a number, and the numbers in the first, last and all of them. */
function rowsOf(bytes: Buffer) {
  let [rows, first, last, numbers] = [0, 0, 0, 0];
  let [words, isNumbers, isInWord] = [0, false, false];
  for (let at = 0; at <= bytes.length; at++) {
    const sign = bytes[at] ?? newline;
    if (sign === newline || sign === carriageReturn) {
      if (isNumbers) {
        rows += 1;
        first ||= words;
        last = words;
        numbers += words;
      }
      words = 0;
      isNumbers = false;
      isInWord = false;
    } else if (isSpace(sign)) isInWord = false;
    else if (!isInWord) {
      isNumbers = words === 0 ? beginsNumber(bytes, at) : isNumbers;
      words += 1;
      isInWord = true;
    }
  }
  return { rows, first, last, numbers };
}
