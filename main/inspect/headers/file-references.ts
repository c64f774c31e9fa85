import { posix } from 'node:path';
import { FileBytes } from '../formats/base/file-bytes.ts';
import { parseJson } from '../formats/base/json.ts';
import { looksLikeTileset, maxTilesetLength } from '../formats/documents/json-documents.ts';
import { contentsOf } from '../formats/models/tileset.ts';
import { externalRasterOf } from '../formats/raster/hfa.ts';
import {
  hrefsInKml,
  imagesInCityGml,
  imagesInCollada,
  indexInGti,
  isCityGml,
  sourcesInVrt,
} from './references/xml-references.ts';

interface ReferenceReader {
  /** Bytes read at most. If `needsWhole`, larger files are skipped. */
  readonly maxBytes: number;
  readonly needsWhole: boolean;
  /** Bytes also read at the end of larger files. */
  readonly bytesAtEnd?: number;
  /** References may be anywhere in the file. */
  readonly hasReferencesAnywhere?: true;
  /** Whether the beginning shows the right format. */
  readonly hasFormat?: (beginning: string) => boolean;
  readonly read: (text: string, isWhole: boolean) => readonly string[];
}

/** A byte range read at once. */
interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

const mebibyte = 1024 * 1024;
const documentLimits = { maxBytes: 64 * mebibyte, needsWhole: false, hasReferencesAnywhere: true } as const;
const readersByExtension: ReadonlyMap<string, ReferenceReader> = new Map<string, ReferenceReader>([
  ['.obj', { maxBytes: 256 * 1024, needsWhole: false, read: librariesIn }],
  ['.mtl', { maxBytes: mebibyte, needsWhole: false, read: texturesIn }],
  ['.gltf', { maxBytes: 16 * mebibyte, needsWhole: true, read: urisIn }],
  ['.3mx', { maxBytes: mebibyte, needsWhole: true, read: rootsIn }],
  // Some programs write pictures before the shapes, some after them.
  ['.dae', { ...documentLimits, maxBytes: 4 * mebibyte, bytesAtEnd: 4 * mebibyte, read: imagesInCollada }],
  ['.kml', { ...documentLimits, read: hrefsInKml }],
  ['.gml', { ...documentLimits, read: imagesInCityGml }],
  ['.citygml', { ...documentLimits, read: imagesInCityGml }],
  ['.xml', { ...documentLimits, hasFormat: isCityGml, read: imagesInCityGml }],
  ['.vrt', { ...documentLimits, read: sourcesInVrt }],
  ['.gti', { maxBytes: mebibyte, needsWhole: false, read: indexInGti }],
]);
/** Longer files are read in overlapping ranges, so that each name is complete in one. */
const maxRangeLength = 4 * mebibyte;
const rangeOverlap = 32 * 1024;
/** Bytes read when all files are inspected; the second limit is for `needsWhole`. */
const [glanceLength, maxWholeLength] = [64 * 1024, 300 * 1024];
/** Limit per file. */
export const maxNames = 20_000;
/** Characters; longer than any path. Longer lines and names are ignored. */
const maxLineLength = 8 * 1024;

/** Returns the ranges to read, or null if the file has no references. */
export function referenceRanges(name: string, size: number): readonly ByteRange[] | null {
  const reader = readersByExtension.get(extensionOf(name));
  if (!reader || (reader.needsWhole && size > reader.maxBytes)) return null;
  const endOffset = Math.min(size, reader.maxBytes);
  const ranges: ByteRange[] = [];
  const addRanges = (start: number, end: number) => {
    for (let offset = start; offset < end; offset += maxRangeLength - rangeOverlap) {
      ranges.push({ offset, length: Math.min(maxRangeLength, end - offset) });
      if (offset + maxRangeLength >= end) return;
    }
  };
  addRanges(0, reader.needsWhole ? 0 : endOffset);
  if (reader.needsWhole) ranges.push({ offset: 0, length: endOffset });
  if (reader.bytesAtEnd && size > endOffset)
    addRanges(Math.max(endOffset - rangeOverlap, size - reader.bytesAtEnd), size);
  return ranges;
}

/**
 * Returns distinct references as written: an OBJ's libraries, an MTL's pictures, a glTF's buffers and
 * pictures, and so on. Malformed input, which is untrusted, yields none.
 *
 * @param bytes one of the file's `referenceRanges`
 * @param isFirst whether the range starts the file
 */
export function namesIn(name: string, size: number, bytes: Buffer, isFirst = true): readonly string[] {
  const reader = readersByExtension.get(extensionOf(name));
  const names =
    reader?.read(textOf(isFirst ? bytes : skipPartialLetter(bytes)), size <= reader.maxBytes) ?? [];
  return [...new Set(names.filter(({ length }) => length <= maxLineLength))].slice(0, maxNames);
}

/** Whether to read further after the first range. */
export function isWorthReading(name: string, beginning: Buffer): boolean {
  const hasFormat = readersByExtension.get(extensionOf(name))?.hasFormat;
  return hasFormat === undefined || hasFormat(beginning.toString('latin1', 0, 64 * 1024));
}

/**
 * Returns references from the first 64 KiB, also the last if they may be anywhere, or up to 300 KiB of a
 * glTF. Omits names of uncertain encoding. Includes external pixels of ERDAS `.img` and tileset contents,
 * which belong to the file by name or folder anyway, so nothing waits for them.
 *
 * @param read returns at most `length` bytes
 */
export async function sampleReferences(
  name: string,
  size: number,
  read: (offset: number, length: number) => Promise<Buffer>,
): Promise<readonly string[]> {
  if (isErdasImage(name)) {
    const raster = await externalRasterOf(new FileBytes(size, read, glanceLength));
    return raster !== null && isAscii(raster) ? [raster] : [];
  }
  if (extensionOf(name) === '.json') return namesInTileset(size, read);
  const reader = readersByExtension.get(extensionOf(name));
  if (!reader || (reader.needsWhole && size > maxWholeLength)) return [];
  const beginning = await read(0, Math.min(size, reader.needsWhole ? size : glanceLength));
  if (!isWorthReading(name, beginning)) return [];
  const byteRanges = [beginning];
  const endOffset = Math.max(glanceLength, size - glanceLength);
  if (reader.hasReferencesAnywhere && size > endOffset)
    byteRanges.push(await read(endOffset, size - endOffset));
  const names = byteRanges.flatMap((bytes, index) => {
    const references = namesIn(
      name,
      bytes.length < size ? Number.POSITIVE_INFINITY : size,
      bytes,
      index === 0,
    );
    const isEncodingCertain =
      references.every(isAscii) || isInUtf8(index === 0 ? bytes : skipPartialLetter(bytes));
    return isEncodingCertain ? references : references.filter(isAscii);
  });
  return copied(names);
}

/** Reads all of a tileset, since tiles may be anywhere. */
async function namesInTileset(
  size: number,
  read: (offset: number, length: number) => Promise<Buffer>,
): Promise<readonly string[]> {
  if (size > maxTilesetLength) return [];
  if (!looksLikeTileset((await read(0, Math.min(size, 1_024))).toString('utf8').replace(/^\ufeff/, '')))
    return [];
  const document = parseJson((await read(0, size)).toString('utf8'));
  return copied(contentsOf(document, maxNames).map(decodeUri));
}

/** Copies distinct names, because substrings keep the whole text in memory. */
function copied(names: readonly string[]): readonly string[] {
  return names.length === 0
    ? []
    : Buffer.from([...new Set(names)].join('\0'))
        .toString()
        .split('\0');
}

/** ERDAS image, or another format with this extension. */
export const isErdasImage = (name: string): boolean => extensionOf(name) === '.img';

const isAscii = (name: string): boolean => !/[^\0-\x7f]/.test(name);

/** Drops the rest of a UTF-8 character that starts in the previous range. */
function skipPartialLetter(bytes: Buffer): Buffer {
  let letterStart = 0;
  while (letterStart < 3 && ((bytes[letterStart] ?? 0) & 0xc0) === 0x80) letterStart += 1;
  return bytes.subarray(letterStart);
}

const extensionOf = (name: string): string => posix.extname(name).toLowerCase();

/** Programs write UTF-8 or a legacy encoding without saying which. */
function textOf(bytes: Buffer): string {
  return isInUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
}

/** Ignores a last character that the end may have cut. */
const isInUtf8 = (bytes: Buffer): boolean => !bytes.toString('utf8').slice(0, -1).includes('\ufffd');

/**
 * Yields values of matching keywords. Skips a line cut at the end, since an incomplete name would always be
 * missing.
 */
function* valuesIn(text: string, isWhole: boolean, keyword: RegExp): Iterable<string> {
  for (let lineStart = 0; lineStart < text.length; ) {
    const lineBreak = text.indexOf('\n', lineStart);
    if (lineBreak === -1 && !isWhole) return;
    const lineEnd = lineBreak === -1 ? text.length : lineBreak;
    const line = lineEnd - lineStart > maxLineLength ? '' : text.slice(lineStart, lineEnd).trim();
    const space = line.search(/\s/);
    if (space > 0 && keyword.test(line.slice(0, space))) yield line.slice(space).trimStart();
    lineStart = lineEnd + 1;
  }
}

function librariesIn(text: string, isWhole: boolean): readonly string[] {
  return [...valuesIn(text, isWhole, /^mtllib$/i)].flatMap(librariesOf);
}

/** A line may list several libraries, and names may contain spaces, so the extension ends a name. */
function librariesOf(value: string): readonly string[] {
  const names: string[] = [];
  let nameStart = 0;
  for (const { index, 0: extension } of value.matchAll(/\.mtl(?=\s|$)/gi)) {
    names.push(value.slice(nameStart, index + extension.length).trim());
    nameStart = index + extension.length;
  }
  return names.length > 0 ? names : [value];
}

function texturesIn(text: string, isWhole: boolean): readonly string[] {
  return [...valuesIn(text, isWhole, /^(?:map_\w+|bump|disp|decal|refl|norm)$/i)].map(withoutOptions);
}

interface TextureOption {
  readonly minWords: number;
  readonly maxWords: number;
  readonly fits: (optionWord: string) => boolean;
}

const isSwitch = (optionWord: string): boolean => /^(?:on|off)$/i.test(optionWord);
const isNumber = (optionWord: string): boolean => optionWord !== '' && Number.isFinite(Number(optionWord));
const switchOption: TextureOption = { minWords: 1, maxWords: 1, fits: isSwitch };
const numbersOption: TextureOption = { minWords: 1, maxWords: 3, fits: isNumber };
const wordOption: TextureOption = { minWords: 1, maxWords: 1, fits: () => true };
const textureOptions: ReadonlyMap<string, TextureOption> = new Map([
  ...['blendu', 'blendv', 'cc', 'clamp'].map((name) => [name, switchOption] as const),
  ...['o', 's', 't'].map((name) => [name, numbersOption] as const),
  ...['bm', 'boost', 'texres', 'imfchan', 'type'].map((name) => [name, wordOption] as const),
  ['mm', { minWords: 2, maxWords: 2, fits: () => true }],
]);

/** Options precede a texture's name: `-s 1 1 1 -bm 0.5 name with spaces.jpg`. */
function withoutOptions(value: string): string {
  const valueWords = [...value.matchAll(/\S+/g)];
  let wordIndex = 0;
  for (;;) {
    const optionWord = valueWords[wordIndex]?.[0] ?? '';
    const option = optionWord.startsWith('-')
      ? textureOptions.get(optionWord.slice(1).toLowerCase())
      : undefined;
    if (!option) break;
    let optionWords = 0;
    // The last word always belongs to the name.
    while (
      optionWords < option.maxWords &&
      wordIndex + 2 + optionWords < valueWords.length &&
      option.fits(valueWords[wordIndex + 1 + optionWords]?.[0] ?? '')
    )
      optionWords += 1;
    if (optionWords < option.minWords) break;
    wordIndex += 1 + optionWords;
  }
  return value.slice(valueWords[wordIndex]?.index ?? 0);
}

function urisIn(text: string): readonly string[] {
  try {
    const { buffers, images }: { buffers?: unknown; images?: unknown } = JSON.parse(text);
    return [buffers, images].flat().flatMap((resource: unknown) => {
      if (
        typeof resource !== 'object' ||
        resource === null ||
        !('uri' in resource) ||
        typeof resource.uri !== 'string'
      )
        return [];
      return resource.uri.startsWith('data:') ? [] : [decodeUri(resource.uri)];
    });
  } catch {
    return [];
  }
}

function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Bentley 3MX, version 1: the root of each layer. */
function rootsIn(text: string): readonly string[] {
  try {
    const { layers }: { layers?: unknown } = JSON.parse(text);
    return [layers].flat().flatMap((layer: unknown) => {
      const hasRoot =
        typeof layer === 'object' && layer !== null && 'root' in layer && typeof layer.root === 'string';
      return hasRoot ? [decodeUri(layer.root as string)] : [];
    });
  } catch {
    return [];
  }
}
