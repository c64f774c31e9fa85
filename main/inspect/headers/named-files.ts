import { posix } from 'node:path';
import { FileBytes } from '../formats/base/file-bytes.ts';
import { parseJson } from '../formats/base/json.ts';
import { beginsTileset, longestTileset } from '../formats/documents/json-documents.ts';
import { contentsOf } from '../formats/models/tileset.ts';
import { externalRasterOf } from '../formats/raster/hfa.ts';
import {
  hrefsInKml,
  imagesInCityGml,
  imagesInCollada,
  indexInGti,
  isCityGml,
  sourcesInVrt,
} from './named/in-xml.ts';

interface Reader {
  /** Bytes read at most. If `needsWhole`, larger files are skipped. */
  readonly most: number;
  readonly needsWhole: boolean;
  /** Bytes also read at the end of larger files. */
  readonly atEnd?: number;
  /** References may be anywhere in the file. */
  readonly isSpread?: true;
  /** Whether the beginning shows the right format. */
  readonly isMeant?: (beginning: string) => boolean;
  readonly read: (text: string, isWhole: boolean) => readonly string[];
}

/** A byte range read at once. */
interface Stretch {
  readonly at: number;
  readonly length: number;
}

const mib = 1024 * 1024;
const document = { most: 64 * mib, needsWhole: false, isSpread: true } as const;
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['.obj', { most: 256 * 1024, needsWhole: false, read: librariesIn }],
  ['.mtl', { most: mib, needsWhole: false, read: texturesIn }],
  ['.gltf', { most: 16 * mib, needsWhole: true, read: urisIn }],
  ['.3mx', { most: mib, needsWhole: true, read: rootsIn }],
  // Some programs write pictures before the shapes, some after them.
  ['.dae', { ...document, most: 4 * mib, atEnd: 4 * mib, read: imagesInCollada }],
  ['.kml', { ...document, read: hrefsInKml }],
  ['.gml', { ...document, read: imagesInCityGml }],
  ['.citygml', { ...document, read: imagesInCityGml }],
  ['.xml', { ...document, isMeant: isCityGml, read: imagesInCityGml }],
  ['.vrt', { ...document, read: sourcesInVrt }],
  ['.gti', { most: mib, needsWhole: false, read: indexInGti }],
]);
/** Longer files are read in overlapping ranges, so that each name is complete in one. */
const longestStretch = 4 * mib;
const overlap = 32 * 1024;
/** Bytes read when all files are inspected; the second limit is for `needsWhole`. */
const [glance, longestWhole] = [64 * 1024, 300 * 1024];
/** Limit per file. */
export const maxNames = 20_000;
/** Characters; longer than any path. Longer lines and names are ignored. */
const longestLine = 8 * 1024;

/** Returns the ranges to read, or null if the file has no references. */
export function stretchesForNames(name: string, size: number): readonly Stretch[] | null {
  const reader = readers.get(extensionOf(name));
  if (!reader || (reader.needsWhole && size > reader.most)) return null;
  const end = Math.min(size, reader.most);
  const stretches: Stretch[] = [];
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at += longestStretch - overlap) {
      stretches.push({ at, length: Math.min(longestStretch, to - at) });
      if (at + longestStretch >= to) return;
    }
  };
  add(0, reader.needsWhole ? 0 : end);
  if (reader.needsWhole) stretches.push({ at: 0, length: end });
  if (reader.atEnd && size > end) add(Math.max(end - overlap, size - reader.atEnd), size);
  return stretches;
}

/**
 * Returns distinct references as written: an OBJ's libraries, an MTL's pictures, a glTF's buffers and
 * pictures, and so on. Malformed input, which is untrusted, yields none.
 *
 * @param bytes one of the file's `stretchesForNames`
 * @param isFirst whether the range starts the file
 */
export function namesIn(name: string, size: number, bytes: Buffer, isFirst = true): readonly string[] {
  const reader = readers.get(extensionOf(name));
  const names = reader?.read(textOf(isFirst ? bytes : fromLetter(bytes)), size <= reader.most) ?? [];
  return [...new Set(names.filter(({ length }) => length <= longestLine))].slice(0, maxNames);
}

/** Whether to read further after the first range. */
export function isWorthReading(name: string, beginning: Buffer): boolean {
  const isMeant = readers.get(extensionOf(name))?.isMeant;
  return isMeant === undefined || isMeant(beginning.toString('latin1', 0, 64 * 1024));
}

/**
 * Returns references from the first 64 KiB, also the last if they may be anywhere, or up to 300 KiB of a
 * glTF. Omits names of uncertain encoding. Includes external pixels of ERDAS `.img` and tileset contents,
 * which belong to the file by name or folder anyway, so nothing waits for them.
 *
 * @param read returns at most `length` bytes
 */
export async function namesAtAGlance(
  name: string,
  size: number,
  read: (at: number, length: number) => Promise<Buffer>,
): Promise<readonly string[]> {
  if (isImagine(name)) {
    const raster = await externalRasterOf(new FileBytes(size, read, glance));
    return raster !== null && isAscii(raster) ? [raster] : [];
  }
  if (extensionOf(name) === '.json') return namesInTileset(size, read);
  const reader = readers.get(extensionOf(name));
  if (!reader || (reader.needsWhole && size > longestWhole)) return [];
  const beginning = await read(0, Math.min(size, reader.needsWhole ? size : glance));
  if (!isWorthReading(name, beginning)) return [];
  const pieces = [beginning];
  const end = Math.max(glance, size - glance);
  if (reader.isSpread && size > end) pieces.push(await read(end, size - end));
  const names = pieces.flatMap((bytes, index) => {
    const written = namesIn(name, bytes.length < size ? Number.POSITIVE_INFINITY : size, bytes, index === 0);
    const isCertain = written.every(isAscii) || isInUtf8(index === 0 ? bytes : fromLetter(bytes));
    return isCertain ? written : written.filter(isAscii);
  });
  return copied(names);
}

/** Reads all of a tileset, since tiles may be anywhere. */
async function namesInTileset(
  size: number,
  read: (at: number, length: number) => Promise<Buffer>,
): Promise<readonly string[]> {
  if (size > longestTileset) return [];
  if (!beginsTileset((await read(0, Math.min(size, 1_024))).toString('utf8').replace(/^\ufeff/, '')))
    return [];
  const document = parseJson((await read(0, size)).toString('utf8'));
  return copied(contentsOf(document, maxNames).map(decoded));
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
export const isImagine = (name: string): boolean => extensionOf(name) === '.img';

const isAscii = (name: string): boolean => !/[^\0-\x7f]/.test(name);

/** Drops the rest of a UTF-8 character that starts in the previous range. */
function fromLetter(bytes: Buffer): Buffer {
  let at = 0;
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return bytes.subarray(at);
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
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    if (found === -1 && !isWhole) return;
    const end = found === -1 ? text.length : found;
    const line = end - at > longestLine ? '' : text.slice(at, end).trim();
    const space = line.search(/\s/);
    if (space > 0 && keyword.test(line.slice(0, space))) yield line.slice(space).trimStart();
    at = end + 1;
  }
}

function librariesIn(text: string, isWhole: boolean): readonly string[] {
  return [...valuesIn(text, isWhole, /^mtllib$/i)].flatMap(librariesOf);
}

/** A line may list several libraries, and names may contain spaces, so the extension ends a name. */
function librariesOf(value: string): readonly string[] {
  const names: string[] = [];
  let from = 0;
  for (const { index, 0: ending } of value.matchAll(/\.mtl(?=\s|$)/gi)) {
    names.push(value.slice(from, index + ending.length).trim());
    from = index + ending.length;
  }
  return names.length > 0 ? names : [value];
}

function texturesIn(text: string, isWhole: boolean): readonly string[] {
  return [...valuesIn(text, isWhole, /^(?:map_\w+|bump|disp|decal|refl|norm)$/i)].map(withoutOptions);
}

interface TextureOption {
  readonly least: number;
  readonly most: number;
  readonly fits: (word: string) => boolean;
}

const isSwitch = (word: string): boolean => /^(?:on|off)$/i.test(word);
const isNumber = (word: string): boolean => word !== '' && Number.isFinite(Number(word));
const onOrOff: TextureOption = { least: 1, most: 1, fits: isSwitch };
const place: TextureOption = { least: 1, most: 3, fits: isNumber };
const anyWord: TextureOption = { least: 1, most: 1, fits: () => true };
const textureOptions: ReadonlyMap<string, TextureOption> = new Map([
  ...['blendu', 'blendv', 'cc', 'clamp'].map((name) => [name, onOrOff] as const),
  ...['o', 's', 't'].map((name) => [name, place] as const),
  ...['bm', 'boost', 'texres', 'imfchan', 'type'].map((name) => [name, anyWord] as const),
  ['mm', { least: 2, most: 2, fits: () => true }],
]);

/** Options precede a texture's name: `-s 1 1 1 -bm 0.5 name with spaces.jpg`. */
function withoutOptions(value: string): string {
  const words = [...value.matchAll(/\S+/g)];
  let at = 0;
  for (;;) {
    const word = words[at]?.[0] ?? '';
    const option = word.startsWith('-') ? textureOptions.get(word.slice(1).toLowerCase()) : undefined;
    if (!option) break;
    let count = 0;
    // The last word always belongs to the name.
    while (
      count < option.most &&
      at + 2 + count < words.length &&
      option.fits(words[at + 1 + count]?.[0] ?? '')
    )
      count += 1;
    if (count < option.least) break;
    at += 1 + count;
  }
  return value.slice(words[at]?.index ?? 0);
}

function urisIn(text: string): readonly string[] {
  try {
    const { buffers, images }: { buffers?: unknown; images?: unknown } = JSON.parse(text);
    return [buffers, images].flat().flatMap((one: unknown) => {
      if (typeof one !== 'object' || one === null || !('uri' in one) || typeof one.uri !== 'string')
        return [];
      return one.uri.startsWith('data:') ? [] : [decoded(one.uri)];
    });
  } catch {
    return [];
  }
}

function decoded(uri: string): string {
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
    return [layers].flat().flatMap((one: unknown) => {
      const isNamed =
        typeof one === 'object' && one !== null && 'root' in one && typeof one.root === 'string';
      return isNamed ? [decoded(one.root as string)] : [];
    });
  } catch {
    return [];
  }
}
