import type { FileBytes } from '../base/file-bytes.ts';
import { type Opened, type ReadSidecar, unrecognizedFile, type Verdict } from '../base/format.ts';
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

const maxHeaderLength = 16 * 1024;

/** Raw rasters with a header file: ESRI's BIL, BIP, BSQ and FLT, and ENVI's. */
export async function readPlainRaster(file: FileBytes, readSidecar: ReadSidecar): Promise<Opened<PlainHead>> {
  const header = await readSidecar('.hdr');
  if (header === null) return { head: null, end: () => null, degree: 'no-reader' };
  const text = header.toString('latin1', 0, maxHeaderLength);
  const isEnvi = text.trimStart().startsWith('ENVI');
  const headerWords = isEnvi ? null : esriWords(text);
  return {
    head: headerWords && esriHead(headerWords),
    ...(!headerWords && { degree: 'end-only' as const }),
    end: () => {
      file.requireRange(0, headerWords ? esriLength(headerWords, file) : enviLength(text));
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

const wholeNumberOf = (headerWords: Words, name: string, fallback: number) =>
  parseWhole(headerWords.get(name)) ?? fallback;

/** Cell size without bits means floats. */
const hasFloats = (headerWords: Words): boolean =>
  headerWords.get('pixeltype') === 'float' || (!headerWords.has('nbits') && headerWords.has('cellsize'));

/** `ulxmap` and `ulymap` are pixel centres. */
function esriHead(headerWords: Words): PlainHead | null {
  const [rows, columns] = [wholeNumberOf(headerWords, 'nrows', 0), wholeNumberOf(headerWords, 'ncols', 0)];
  if (rows === 0 || columns === 0) return null;
  const decimalOf = (...names: readonly string[]) =>
    decimalIn(names.map((name) => headerWords.get(name)).find(Boolean) ?? '');
  const [width, height] = [decimalOf('xdim', 'cellsize'), decimalOf('ydim', 'cellsize')];
  const [westEdge, northEdge] = [decimalOf('ulxmap') - width / 2, decimalOf('ulymap') + height / 2];
  const corners = Number.isNaN(westEdge + northEdge)
    ? cornersOf(decimalOf, columns, rows)
    : cornersOfBox(westEdge, northEdge - rows * height, westEdge + columns * width, northEdge);
  const noData = decimalOf('nodata', 'nodata_value');
  const sample = hasFloats(headerWords)
    ? 'float'
    : headerWords.get('pixeltype') === 'signedint'
      ? 'signed'
      : 'unsigned';
  return {
    ...{
      kind: 'plain',
      ...noSystem,
      bands: wholeNumberOf(headerWords, 'nbands', 1),
      palette: false,
      sample,
      corners,
    },
    bits: wholeNumberOf(headerWords, 'nbits', hasFloats(headerWords) ? 32 : 8),
    ...(Number.isNaN(noData) ? {} : { noData }),
  };
}

function esriLength(headerWords: Words, { size }: FileBytes): number {
  const [rows, columns] = [wholeNumberOf(headerWords, 'nrows', 0), wholeNumberOf(headerWords, 'ncols', 0)];
  const bits = wholeNumberOf(headerWords, 'nbits', hasFloats(headerWords) ? 32 : 8);
  const bands = wholeNumberOf(headerWords, 'nbands', 1);
  const rowLength = wholeNumberOf(headerWords, 'bandrowbytes', Math.ceil((columns * bits) / 8));
  const isSequential = headerWords.get('layout') === 'bsq';
  const bandGaps = isSequential ? wholeNumberOf(headerWords, 'bandgapbytes', 0) * (bands - 1) : 0;
  const total = isSequential
    ? rowLength * bands
    : Math.max(wholeNumberOf(headerWords, 'totalrowbytes', 0), rowLength * bands);
  const length = wholeNumberOf(headerWords, 'skipbytes', 0) + total * rows + bandGaps;
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
    const line = text.split(/[\r\n]+/).find((candidate) => candidate.trim().toLowerCase().startsWith(name));
    return parseWhole(line?.split('=')[1]?.trim());
  };
  const [samples, lines, bands] = [number('samples') ?? 0, number('lines') ?? 0, number('bands') ?? 1];
  const bytes = bytesOfType[number('data type') ?? 0] ?? 0;
  return (number('header offset') ?? 0) + samples * lines * bands * bytes;
}

function parseWhole(numberText: string | undefined): number | undefined {
  return numberText !== undefined && /^\d{1,15}$/.test(numberText) ? Number(numberText) : undefined;
}

/** Bytes; shorter grids are read whole to count numbers. */
const maxCountedLength = 512 * 1024;
/** Bytes. */
const maxGridHeader = 1_024;
/** Bytes at each end of longer grids, whose first and last rows must be equally long. */
const probeLength = 128 * 1024;

/** An ASCII grid, which can't name a coordinate system. */
export interface GridHead {
  readonly kind: 'grid';
  readonly corners: Corners | null;
}

/** Reads ESRI's ASCII grid; other formats use `.asc` too. */
export async function readAsciiGrid(file: FileBytes): Promise<Opened<GridHead>> {
  const start = await file.readReadableStart(probeLength);
  const header = readGridHeader(start);
  if (!header) return unrecognizedFile;
  const { columns, rows, decimalOf } = header;
  return {
    head: { kind: 'grid', corners: cornersOf(decimalOf, columns, rows) },
    end: () => gridEnd(file, start, columns, rows),
  };
}

/** Reads the header at the start of an ASCII grid; null if there is none. `dataOffset`: of the first cell. */
export function readGridHeader(start: Buffer) {
  const headerText = start.toString('latin1', 0, maxGridHeader);
  const headerWords = headerText.trim().toLowerCase().split(/\s+/);
  const wordAfter = (...names: readonly string[]) =>
    headerWords.find((_, index) => names.includes(headerWords[index - 1] ?? '')) ?? '';
  const decimalOf = (...names: readonly string[]) => decimalIn(wordAfter(...names));
  const [columns, rows] = [Number.parseInt(wordAfter('ncols'), 10), Number.parseInt(wordAfter('nrows'), 10)];
  if (!(columns >= 0 && rows >= 0)) return null;
  const noData = decimalOf('nodata_value', 'nodata');
  let dataOffset = 0;
  for (const line of headerText.split(/(?<=[\r\n])/)) {
    const wordOffset = dataOffset + line.length - line.trimStart().length;
    if (line.trim() !== '' && startsNumber(start, wordOffset)) break;
    dataOffset += line.length;
  }
  return { columns, rows, noData: Number.isNaN(noData) ? null : noData, dataOffset, decimalOf };
}

/** GDAL also reads decimal commas. */
const decimalIn = (numberText: string): number =>
  numberText === '' ? Number.NaN : Number(numberText.replace(',', '.'));

function cornersOf(
  decimalOf: (...names: readonly string[]) => number,
  columns: number,
  rows: number,
): Corners | null {
  const [width, height] = [decimalOf('cellsize', 'dx'), decimalOf('cellsize', 'dy')];
  const edge = (corner: string, centre: string, size: number) => {
    const value = decimalOf(corner);
    return Number.isNaN(value) ? decimalOf(centre) - size / 2 : value;
  };
  const [west, south] = [edge('xllcorner', 'xllcenter', width), edge('yllcorner', 'yllcenter', height)];
  return cornersOfBox(west, south, west + columns * width, south + rows * height);
}

/** Requires two bytes per cell and as many numbers as cells. */
async function gridEnd(file: FileBytes, start: Buffer, columns: number, rows: number): Promise<Verdict> {
  file.requireRange(0, columns * rows * 2 - 1);
  if (file.size <= maxCountedLength)
    return rowsOf(await file.readStart(maxCountedLength)).numbers < columns * rows ? 'tooShort' : null;
  const [startRows, endRows] = [rowsOf(start), rowsOf(await file.readEnd(probeLength))];
  const isEven = startRows.rows > 1 && startRows.first === columns;
  return isEven && endRows.rows > 1 && endRows.last !== columns ? 'tooShort' : null;
}

const [newline, carriageReturn] = [10, 13];
const isSpace = (character: number): boolean =>
  character === 32 || (character >= 9 && character <= 13) || character === 0xa0;
/** GDAL accepts any word as a value, even `nan`, `inf` or `null` at the start of a line. */
function startsNumber(bytes: Buffer, offset: number): boolean {
  const lowerCaseCode = (bytes[offset] ?? 0) | 32;
  return (
    lowerCaseCode < 97 ||
    lowerCaseCode > 122 ||
    /^(?:nan|inf|null)/i.test(bytes.toString('latin1', offset, offset + 4))
  );
}

/** Counts lines that begin with a number, and the numbers in the first, last and all of them. */
function rowsOf(bytes: Buffer) {
  let [rows, firstRowLength, lastRowLength, numbers] = [0, 0, 0, 0];
  let [rowWords, isNumbers, isInWord] = [0, false, false];
  for (let offset = 0; offset <= bytes.length; offset++) {
    const character = bytes[offset] ?? newline;
    if (character === newline || character === carriageReturn) {
      if (isNumbers) {
        rows += 1;
        firstRowLength ||= rowWords;
        lastRowLength = rowWords;
        numbers += rowWords;
      }
      rowWords = 0;
      isNumbers = false;
      isInWord = false;
    } else if (isSpace(character)) isInWord = false;
    else if (!isInWord) {
      isNumbers = rowWords === 0 ? startsNumber(bytes, offset) : isNumbers;
      rowWords += 1;
      isInWord = true;
    }
  }
  return { rows, first: firstRowLength, last: lastRowLength, numbers };
}
