import { TileliftError } from '../errors.ts';
import { createPathFits } from './path-patterns.ts';

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
  const unescaped = line.replaceAll(/\\./g, '');
  if (unescaped.lastIndexOf('[') > unescaped.lastIndexOf(']')) return false;
  try {
    createPathFits([line])('a/b', false);
    return true;
  } catch {
    return false;
  }
}
