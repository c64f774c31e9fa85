import { placeholderOf } from './cloud-files.ts';
import { neverData } from './never-data.ts';

/** Default patterns of a scan: leftovers of systems and programs. */
const defaultIgnorePatterns: readonly string[] = neverData.map(({ pattern }) => pattern);

/** Whether to exclude an entry of this name. */
export type Ignore = (name: string, isFolder: boolean) => boolean;

/**
 * Matches names, ignoring case: `*` is any text, `?` a letter a to z or digit. Patterns ending with `/` match
 * folders, others match files.
 */
export function createIgnore(patterns: readonly string[] = defaultIgnorePatterns): Ignore {
  const folders = patterns.filter((pattern) => pattern.endsWith('/')).map((pattern) => pattern.slice(0, -1));
  const files = patterns.filter((pattern) => !pattern.endsWith('/'));
  const [folderFits, fileFits] = [createFits(folders), createFits(files)];
  return (name, isFolder) => {
    if (isFolder) return folderFits(name.toLowerCase());
    // Without the placeholder, the data would seem complete.
    return placeholderOf(name) === null && fileFits(name.toLowerCase());
  };
}

/**
 * Fast for 100,000 names: looks up whole names and endings, and tries other patterns by first or last
 * character.
 */
function createFits(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set<string>();
  const endings = new Set<string>();
  const shapes = new Shapes();
  for (const pattern of patterns.map((pattern) => pattern.toLowerCase())) {
    if (!/[*?]/.test(pattern)) names.add(pattern);
    else if (/^\*\.[^.*?]+$/.test(pattern)) endings.add(pattern.slice(1));
    else shapes.add(pattern.split('*'));
  }
  return (name) => {
    const dot = name.lastIndexOf('.');
    return names.has(name) || (dot !== -1 && endings.has(name.slice(dot))) || shapes.fit(name);
  };
}

/** Patterns split at stars, indexed by their first or last character. */
class Shapes {
  readonly #byFirst = new Map<string, (readonly string[])[]>();
  readonly #byLast = new Map<string, (readonly string[])[]>();
  readonly #unindexed: (readonly string[])[] = [];

  add(pieces: readonly string[]): void {
    const firstCharacter = pieces.at(0)?.at(0) ?? '?';
    const lastCharacter = pieces.at(-1)?.at(-1) ?? '?';
    if (firstCharacter !== '?') grouped(this.#byFirst, firstCharacter).push(pieces);
    else if (lastCharacter !== '?') grouped(this.#byLast, lastCharacter).push(pieces);
    else this.#unindexed.push(pieces);
  }

  fit(name: string): boolean {
    const fit = (pieces: readonly string[]) => matchesPieces(name, pieces);
    return (
      this.#byFirst.get(name.at(0) ?? '')?.some(fit) === true ||
      this.#byLast.get(name.at(-1) ?? '')?.some(fit) === true ||
      this.#unindexed.some(fit)
    );
  }
}

function grouped(groups: Map<string, (readonly string[])[]>, sign: string): (readonly string[])[] {
  const group = groups.get(sign) ?? [];
  groups.set(sign, group);
  return group;
}

/** Takes the first match of each piece; a regular expression with several stars would backtrack. */
function matchesPieces(name: string, pieces: readonly string[]): boolean {
  const [firstPiece = '', ...middlePieces] = pieces;
  const lastPiece = middlePieces.pop();
  if (lastPiece === undefined) return name.length === firstPiece.length && isAt(name, 0, firstPiece);
  if (!isAt(name, 0, firstPiece)) return false;
  let offset = firstPiece.length;
  for (const piece of middlePieces) {
    const pieceOffset = findFrom(name, offset, piece);
    if (pieceOffset === -1) return false;
    offset = pieceOffset + piece.length;
  }
  const end = name.length - lastPiece.length;
  return end >= offset && isAt(name, end, lastPiece);
}

function findFrom(name: string, startOffset: number, piece: string): number {
  if (!piece.includes('?')) return name.indexOf(piece, startOffset);
  for (let offset = startOffset; offset + piece.length <= name.length; offset++)
    if (isAt(name, offset, piece)) return offset;
  return -1;
}

function isAt(name: string, offset: number, piece: string): boolean {
  if (!piece.includes('?')) return name.startsWith(piece, offset);
  if (offset + piece.length > name.length) return false;
  for (let index = 0; index < piece.length; index++) {
    const [sign, expectedSign] = [name[offset + index] ?? '', piece[index]];
    if (expectedSign === '?' ? !/[a-z0-9]/.test(sign) : sign !== expectedSign) return false;
  }
  return true;
}

const unfinishedRules = neverData.filter(({ isUnfinished }) => isUnfinished);

/** Matches temporary names under which programs write files. */
export const isUnfinishedName: Ignore = createIgnore(unfinishedRules.map(({ pattern }) => pattern));
