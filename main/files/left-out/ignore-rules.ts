import { placeholderOf } from './cloud-files.ts';
import { neverData } from './never-data.ts';

/** What a scan leaves out by default: leftovers of systems and programs, never data (design, "Scan"). */
export const defaultIgnorePatterns: readonly string[] = neverData.map(({ pattern }) => pattern);

/** True when an entry of this name is to be left out. */
export type Ignore = (name: string, isFolder: boolean) => boolean;

/**
 * Patterns are matched against the name of an entry, not its path, without regard to case: `*` stands for any
 * run of characters, `?` for one letter a to z or digit. A pattern that ends with `/` means folders only,
 * every other one files only.
 */
export function createIgnore(patterns: readonly string[] = defaultIgnorePatterns): Ignore {
  const folders = patterns.filter((pattern) => pattern.endsWith('/')).map((pattern) => pattern.slice(0, -1));
  const files = patterns.filter((pattern) => !pattern.endsWith('/'));
  const [folderFits, fileFits] = [createFits(folders), createFits(files)];
  return (name, isFolder) => {
    if (isFolder) return folderFits(name.toLowerCase());
    // It is the sign that data is missing: left out, the rest would look whole.
    return placeholderOf(name) === null && fileFits(name.toLowerCase());
  };
}

/**
 * Each of 100,000 names is compared with the whole table: what is said by a whole name, or by its ending, is
 * looked up, and of the other patterns only those are tried that begin or end with the name's first or last
 * sign.
 */
function createFits(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set<string>();
  const endings = new Set<string>();
  const shapes = new Shapes();
  for (const pattern of patterns.map((one) => one.toLowerCase())) {
    if (!/[*?]/.test(pattern)) names.add(pattern);
    else if (/^\*\.[^.*?]+$/.test(pattern)) endings.add(pattern.slice(1));
    else shapes.add(pattern.split('*'));
  }
  return (name) => {
    const dot = name.lastIndexOf('.');
    return names.has(name) || (dot !== -1 && endings.has(name.slice(dot))) || shapes.fit(name);
  };
}

/** Patterns in the pieces between their stars, by a sign that every name that fits has at its border. */
class Shapes {
  readonly #byFirst = new Map<string, (readonly string[])[]>();
  readonly #byLast = new Map<string, (readonly string[])[]>();
  readonly #others: (readonly string[])[] = [];

  add(pieces: readonly string[]): void {
    const first = pieces.at(0)?.at(0) ?? '?';
    const last = pieces.at(-1)?.at(-1) ?? '?';
    if (first !== '?') grouped(this.#byFirst, first).push(pieces);
    else if (last !== '?') grouped(this.#byLast, last).push(pieces);
    else this.#others.push(pieces);
  }

  fit(name: string): boolean {
    const fit = (pieces: readonly string[]) => fits(name, pieces);
    return (
      this.#byFirst.get(name.at(0) ?? '')?.some(fit) === true ||
      this.#byLast.get(name.at(-1) ?? '')?.some(fit) === true ||
      this.#others.some(fit)
    );
  }
}

function grouped(groups: Map<string, (readonly string[])[]>, sign: string): (readonly string[])[] {
  const group = groups.get(sign) ?? [];
  groups.set(sign, group);
  return group;
}

/**
 * Each piece is taken where it comes first: an expression with several stars would try all places of each
 * with all of the others.
 */
function fits(name: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return name.length === first.length && isAt(name, 0, first);
  if (!isAt(name, 0, first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = findFrom(name, at, piece);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const end = name.length - last.length;
  return end >= at && isAt(name, end, last);
}

function findFrom(name: string, from: number, piece: string): number {
  if (!piece.includes('?')) return name.indexOf(piece, from);
  for (let at = from; at + piece.length <= name.length; at++) if (isAt(name, at, piece)) return at;
  return -1;
}

function isAt(name: string, at: number, piece: string): boolean {
  if (!piece.includes('?')) return name.startsWith(piece, at);
  if (at + piece.length > name.length) return false;
  for (let index = 0; index < piece.length; index++) {
    const [sign, wanted] = [name[at + index] ?? '', piece[index]];
    if (wanted === '?' ? !/[a-z0-9]/.test(sign) : sign !== wanted) return false;
  }
  return true;
}
