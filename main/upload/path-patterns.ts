import ignore from 'ignore';
import { TileliftError } from '../errors.ts';

/** True when the lines fit this path: relative to where they hold, `/`-separated. */
export type PathFits = (path: string, isFolder: boolean) => boolean;

const fitsNothing: PathFits = () => false;

/**
 * Lines in gitignore syntax, without regard to case, as the default patterns are. What lies below a folder that fits, fits with it; later lines win over earlier
 * ones. Names are compared in NFC.
 */
export function createPathFits(lines: readonly string[]): PathFits {
  if (lines.length === 0) return fitsNothing;
  const rules = ignore().add(lines.map((line) => line.normalize('NFC')));
  return (path, isFolder) => {
    const shown = path.normalize('NFC');
    return ignore.isPathValid(shown) && rules.ignores(isFolder ? `${shown}/` : shown);
  };
}

/** The shapes of a line that can never fit a path, and are surely meant otherwise. */
const hopeless: readonly RegExp[] = [
  // Several lines in one, or no text at all.
  /[\r\n\0]/,
  // A way out of the folder, or to itself.
  /^!?\.{1,2}\//,
  /\/\.{1,2}(?:\/|$)/,
  /^!?\/?$/,
  // Windows’ own separator: in this syntax a backslash takes the next sign as it is.
  /^!?[a-z]:[\\/]/i,
  /\\(?:[\p{L}\p{N}_]|$)/u,
];

/** @throws TileliftError `watch-pattern-invalid`, naming the first line that can never fit anything; empty lines and comments are fine */
export function checkPatterns(lines: readonly string[]): void {
  for (const line of lines) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (hopeless.some((shape) => shape.test(line)) || !isSound(line)) {
      throw new TileliftError('watch-pattern-invalid', { subject: line });
    }
  }
}

/** The library takes a class that is never closed as a line that fits nothing. */
function isSound(line: string): boolean {
  if (/\[/.test(line.replaceAll(/\\./g, '').replaceAll(/\[[!^]?\]?[^\]]*\]/g, ''))) return false;
  try {
    createPathFits([line])('a/b', false);
    return true;
  } catch {
    return false;
  }
}

/** A line that fits exactly this path (relative, `/`-separated), anchored; for a folder with everything in it. */
export function lineFor(path: string, isFolder: boolean): string {
  const escaped = path.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  return `/${escaped}${isFolder ? '/' : ''}`;
}
