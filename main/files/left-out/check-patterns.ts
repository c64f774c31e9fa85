import { TileliftError } from '../../errors.ts';
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

/** A line is compared with every path: each further star may multiply the time by the path's length. */
const longestLine = 300;
const maxStars = 6;
const maxAnyDepths = 3;

/**
 * @param field of the rule, that they stand in
 * @throws TileliftError `watch-pattern-invalid`, naming the first line that can never fit anything, or that
 *   would take too long to compare; empty lines and comments are fine
 */
export function checkPatterns(lines: readonly string[], field: string): void {
  for (const line of lines) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (hopeless.some((shape) => shape.test(line)) || isTooMuch(line) || !isSound(line)) {
      throw new TileliftError('watch-pattern-invalid', { subject: line, field });
    }
  }
}

function isTooMuch(line: string): boolean {
  const pieces = line.split('/');
  const anyDepths = pieces.filter((piece) => piece === '**').length;
  const stars = Math.max(
    ...pieces.filter((piece) => piece !== '**').map((piece) => piece.split('*').length - 1),
    0,
  );
  return line.length > longestLine || anyDepths > maxAnyDepths || stars > maxStars;
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
