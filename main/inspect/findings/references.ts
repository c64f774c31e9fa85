import { posix } from 'node:path';
import type { Finding, FindingId } from '../../../shared/findings.ts';
import { KeyHashes } from '../../files/walk/key-hashes.ts';
import type { Look } from '../headers/look-inside.ts';
import { extensionOf, stemOf } from '../together/data-set.ts';
import { missingBeside } from '../together/files-beside.ts';
import { placeOf } from '../together/references.ts';

const [maxExamples, maxLength] = [3, 120];
const maxFolders = 8;

/** Whether checking this file needs a listing of all files. */
export const needsListing = ({ key, names = [], verdict }: Look): boolean =>
  verdict === null && (names.length > 0 || neededBeside(key).length > 0);

/**
 * Looks up keys by hash, because a million strings take 130 MB. A collision (once in many millions) hides a
 * missing file.
 */
export class Listing {
  readonly #exact = new KeyHashes();
  /** Lower-case forms of keys that have capitals. */
  readonly #low = new KeyHashes();
  /** A missing file may be inside an archive. */
  hasArchive = false;
  /** A KML may relocate textures of its models (`ResourceMap`). */
  hasKml = false;

  add(key: string): void {
    // Some programs look for the undecoded URI.
    for (const name of key.includes('%') ? [key, decoded(key)] : [key]) {
      const low = name.toLowerCase();
      this.#exact.add(name);
      if (low !== name) this.#low.add(low);
    }
    this.hasArchive ||= /\.(?:zip|kmz|7z|rar|tar|gz|tgz)$/i.test(key);
    this.hasKml ||= /\.kml$/i.test(key);
  }

  has(name: string): boolean {
    return this.#exact.has(name);
  }

  hasInAnyCase(name: string): boolean {
    const low = name.toLowerCase();
    return this.#exact.has(low) || this.#low.has(low);
  }
}

/** Checks references against the files present as storage will: Unicode NFC, case-sensitive. */
export class References {
  readonly #files: Iterable<{ readonly key: string }>;
  readonly #examples = new Map<FindingId, Set<string>>();
  #listed: Listing | null;
  /** Null if the current archive has too many files. */
  #inArchive: Listing | null = null;

  /**
   * @param files the whole source
   * @param listing of the same files, if already built
   */
  constructor(files: Iterable<{ readonly key: string }>, listing: Listing | null = null) {
    this.#files = files;
    this.#listed = listing;
  }

  /** Starts an archive before its files; null if there are too many keys. */
  openArchive(keys: readonly string[] | null): void {
    this.#inArchive = keys && new Listing();
    for (const key of keys ?? []) this.#inArchive?.add(key);
  }

  /** Whether the current archive has one of these lower-case names, or may have it. */
  isInOpenArchive(names: readonly string[]): boolean {
    const listing = this.#inArchive;
    return listing === null || names.some((name) => listing.hasInAnyCase(name));
  }

  /** Returns the problems with this file's references and required files. */
  add({ key, names = [], verdict, archive }: Look): readonly FindingId[] {
    if (verdict !== null || (names.length === 0 && neededBeside(key).length === 0)) return [];
    const listing = archive === undefined ? this.#listing : this.#inArchive;
    if (listing === null) return [];
    const ids = new Set<FindingId>();
    const note = (id: FindingId, name: string) => {
      ids.add(id);
      const exampleKeys = this.#examples.get(id) ?? new Set();
      this.#examples.set(id, exampleKeys);
      const short = name.length > maxLength ? `…${name.slice(1 - maxLength)}` : name;
      if (exampleKeys.size < maxExamples) exampleKeys.add(short);
    };
    for (const name of missingIn(listing, key)) note('missing-files', posix.basename(name));
    for (const name of names) for (const id of judge(name.normalize('NFC'), key, listing)) note(id, name);
    return [...ids];
  }

  valuesOf(id: FindingId): Finding['values'] {
    const examples = this.#examples.get(id);
    return examples && { names: { names: [...examples] } };
  }

  get #listing(): Listing {
    if (this.#listed) return this.#listed;
    const listing = new Listing();
    for (const { key } of this.#files) listing.add(key);
    this.#listed = listing;
    return listing;
  }
}

function missingIn(listing: Listing, key: string): readonly string[] {
  if (listing.hasArchive) return [];
  return neededBeside(key)
    .filter((names) => !names.some((name) => listing.hasInAnyCase(name)))
    .flatMap(([name]) => name ?? []);
}

/** An ERDAS `.img` may have been renamed with its pixels: GDAL falls back to the new name. */
function judge(name: string, key: string, listing: Listing): readonly FindingId[] {
  if (!isName(name)) return [];
  const extension = extensionOf(key);
  const renamed = extension === 'img' ? `${stemOf(key)}${posix.extname(name)}` : null;
  if (renamed !== null && listing.has(renamed)) return [];
  if (isAbsolute.test(name)) return ['absolute-references'];
  if (name.includes(':')) return [];
  // Outside Windows a backslash may be part of a name.
  const withBackslash = name.includes('\\');
  if (withBackslash && listing.has(posix.join(posix.dirname(key), name))) return [];
  const places = foldersOf(key, extension).flatMap((folder) => placeOf(name, posix.join(folder, 'x')) ?? []);
  if (renamed !== null) places.push(renamed);
  const slashed: readonly FindingId[] = withBackslash ? ['backslash-references'] : [];
  if (places.some((place) => listing.has(place))) return slashed;
  if (places.some((place) => listing.hasInAnyCase(place))) return ['other-case-references', ...slashed];
  if (isOfObj.has(extension) && listing.hasInAnyCase(posix.join(posix.dirname(key), baseOf(name))))
    return ['bare-name-references', ...slashed];
  return listing.hasArchive || (listing.hasKml && extension === 'dae') ? [] : ['missing-files'];
}

/** Converters of these formats also look for the bare name in the file's folder. */
const isOfObj = new Set(['obj', 'mtl']);

const baseOf = (name: string): string => posix.basename(name.replaceAll('\\', '/'));

function decoded(key: string): string {
  try {
    return decodeURIComponent(key).normalize('NFC');
  } catch {
    return key;
  }
}

/** Required files, each with its alternatives: of shapefiles and of GDAL's EHdr. */
function neededBeside(key: string): readonly (readonly string[])[] {
  const extension = extensionOf(key);
  if (extension === 'shp') return missingBeside([key]).map((name) => [name]);
  return extension === 'flt' ? [[`${stemOf(key)}.hdr`, `${key}.hdr`]] : [];
}

/**
 * Programs also resolve a material library's textures from the model's folder, which may be a parent of the
 * library's.
 */
function foldersOf(key: string, extension: string): readonly string[] {
  const parts = posix.dirname(key).split('/');
  const count = extension === 'mtl' ? Math.min(parts.length + 1, maxFolders) : 1;
  return Array.from({ length: count }, (_, levelsUp) => parts.slice(0, parts.length - levelsUp).join('/'));
}

/** `/a`, `\\server\a`, `C:\a`, `file:///a`; not `//host/a` or `file://a`. */
const isAbsolute = /^(?:\\|\/(?!\/)|[a-z]:[\\/]|file:\/(?:\/\/)?[^/.])/i;

/** Placeholders, options, and text after a name. */
const odd = /[<>{}[\]*?|"$#\p{C}]/u;

/** Programs also write other things instead of file names. */
function isName(name: string): boolean {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const isEnding =
    extension.length < name.length && /^[a-z0-9]{1,8}$/i.test(extension) && /[a-z]/i.test(extension);
  return isEnding && !name.startsWith('-') && !odd.test(name);
}
