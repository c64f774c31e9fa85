import { posix } from 'node:path';
import type { Finding, FindingId } from '../../../shared/findings.ts';
import { KeyHashes } from '../../files/walk/key-hashes.ts';
import type { Look } from '../headers/look-inside.ts';
import { missingBeside } from '../together/beside.ts';
import { extensionOf, stemOf } from '../together/data-set.ts';
import { placeOf } from '../together/references.ts';

/** Names that a finding gives as examples, and characters of each. */
const [maxExamples, maxLength] = [3, 120];
/** Folders in which a name is looked up. */
const maxFolders = 8;

/** Whether it takes a listing of all files to judge what this one names or needs. */
export const needsListing = ({ key, names = [], verdict }: Look): boolean =>
  verdict === null && (names.length > 0 || neededBeside(key).length > 0);

/**
 * Keys of a source, to look names up. By hashes: sets of a million texts take 130 MB. That a name which
 * isn't there has the hash of one that is happens once in many millions of times, and hides one that is
 * missing.
 */
export class Listing {
  readonly #exact = new KeyHashes();
  /** In lower case those that aren't written so: most sources have either. */
  readonly #low = new KeyHashes();
  /** What can't be seen may be in an archive. */
  hasArchive = false;
  /** A KML may tell other places for the pictures of its models (`ResourceMap`). */
  hasKml = false;

  add(key: string): void {
    // Some programs look for a name as it is written in a URI.
    for (const name of key.includes('%') ? [key, decoded(key)] : [key]) {
      const low = name.toLowerCase();
      this.#exact.add(name);
      if (low !== name) this.#low.add(low);
    }
    this.hasArchive ||= /\.(?:zip|kmz|7z|rar|tar|gz|tgz)$/i.test(key);
    this.hasKml ||= /\.kml$/i.test(key);
  }

  /** Whether it is there, written just so. */
  has(name: string): boolean {
    return this.#exact.has(name);
  }

  /** Whether it is there, whatever its case. */
  hasInAnyCase(name: string): boolean {
    const low = name.toLowerCase();
    return this.#exact.has(low) || this.#low.has(low);
  }
}

/**
 * What the files of a source name, against what there is: each name as storage will look for it, Unicode NFC
 * and with its case.
 */
export class References {
  readonly #files: Iterable<{ readonly key: string }>;
  readonly #examples = new Map<FindingId, Set<string>>();
  #listed: Listing | null;
  /** Of the archive whose files are taken now; null if it has too many. */
  #inArchive: Listing | null = null;

  /**
   * @param files all of the source
   * @param listing of these, where it was made before
   */
  constructor(files: Iterable<{ readonly key: string }>, listing: Listing | null = null) {
    this.#files = files;
    this.#listed = listing;
  }

  /** Takes the keys of all files in an archive, before these files; null for too many. */
  open(keys: readonly string[] | null): void {
    this.#inArchive = keys && new Listing();
    for (const key of keys ?? []) this.#inArchive?.add(key);
  }

  /** Whether one of these names, in lower case, is in the archive whose files are taken now, or may be. */
  isInOpenArchive(names: readonly string[]): boolean {
    const listing = this.#inArchive;
    return listing === null || names.some((name) => listing.hasInAnyCase(name));
  }

  /** What is wrong with what this file names or needs, each once. */
  add({ key, names = [], verdict, archive }: Look): readonly FindingId[] {
    if (verdict !== null || (names.length === 0 && neededBeside(key).length === 0)) return [];
    const listing = archive === undefined ? this.#listing : this.#inArchive;
    if (listing === null) return [];
    const ids = new Set<FindingId>();
    const note = (id: FindingId, name: string) => {
      ids.add(id);
      const known = this.#examples.get(id) ?? new Set();
      this.#examples.set(id, known);
      const short = name.length > maxLength ? `…${name.slice(1 - maxLength)}` : name;
      if (known.size < maxExamples) known.add(short);
    };
    for (const name of missingIn(listing, key)) note('missing-files', posix.basename(name));
    for (const name of names) for (const id of judge(name.normalize('NFC'), key, listing)) note(id, name);
    return [...ids];
  }

  /** Names that show it; undefined for findings of another kind. */
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

/**
 * The pixels of an ERDAS `.img` may have been renamed together with it: GDAL takes those of its name where
 * what it names isn't there.
 */
function judge(name: string, key: string, listing: Listing): readonly FindingId[] {
  if (!isName(name)) return [];
  const ending = extensionOf(key);
  const renamed = ending === 'img' ? `${stemOf(key)}${posix.extname(name)}` : null;
  if (renamed !== null && listing.has(renamed)) return [];
  if (isAbsolute.test(name)) return ['absolute-references'];
  if (name.includes(':')) return [];
  // Elsewhere than on Windows a backslash may be part of a name.
  const withBackslash = name.includes('\\');
  if (withBackslash && listing.has(posix.join(posix.dirname(key), name))) return [];
  const places = foldersOf(key, ending).flatMap((folder) => placeOf(name, posix.join(folder, 'x')) ?? []);
  if (renamed !== null) places.push(renamed);
  const slashed: readonly FindingId[] = withBackslash ? ['backslash-references'] : [];
  if (places.some((place) => listing.has(place))) return slashed;
  if (places.some((place) => listing.hasInAnyCase(place))) return ['other-case-references', ...slashed];
  if (isOfObj.has(ending) && listing.hasInAnyCase(posix.join(posix.dirname(key), baseOf(name))))
    return ['bare-name-references', ...slashed];
  return listing.hasArchive || (listing.hasKml && ending === 'dae') ? [] : ['missing-files'];
}

/** Converters of these look beside the file for what isn't where it says, by the name alone. */
const isOfObj = new Set(['obj', 'mtl']);

const baseOf = (name: string): string => posix.basename(name.replaceAll('\\', '/'));

function decoded(key: string): string {
  try {
    return decodeURIComponent(key).normalize('NFC');
  } catch {
    return key;
  }
}

/**
 * Keys of files without which this one can't be read, each as one or several of which one is enough: of a
 * shapefile, and of GDAL's EHdr.
 */
function neededBeside(key: string): readonly (readonly string[])[] {
  const ending = extensionOf(key);
  if (ending === 'shp') return missingBeside([key]).map((name) => [name]);
  return ending === 'flt' ? [[`${stemOf(key)}.hdr`, `${key}.hdr`]] : [];
}

/**
 * From where a file's names lead. Programs look for the pictures of a material library beside the model too,
 * which lies above it if anywhere else.
 */
function foldersOf(key: string, ending: string): readonly string[] {
  const parts = posix.dirname(key).split('/');
  const count = ending === 'mtl' ? Math.min(parts.length + 1, maxFolders) : 1;
  return Array.from({ length: count }, (_, above) => parts.slice(0, parts.length - above).join('/'));
}

/** Of this computer or another: `/a`, `\\server\a`, `C:\a`, `file:///a`. Not `//host/a` nor `file://a`. */
const isAbsolute = /^(?:\\|\/(?!\/)|[a-z]:[\\/]|file:\/(?:\/\/)?[^/.])/i;

/** Placeholders, options and what follows a name in some programs' lines. */
const odd = /[<>{}[\]*?|"$#\p{C}]/u;

/** Whether this is the name of a file, and not something else that stands where names stand. */
function isName(name: string): boolean {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const isEnding = ending.length < name.length && /^[a-z0-9]{1,8}$/i.test(ending) && /[a-z]/i.test(ending);
  return isEnding && !name.startsWith('-') && !odd.test(name);
}
