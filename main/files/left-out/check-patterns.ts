import { TileliftError } from '../../errors.ts';
import { createPathFits } from './path-patterns.ts';

/** Lines that never match a path and must be mistakes. */
const hopeless: readonly RegExp[] = [
  /[\r\n\0]/,
  // Outside the folder, or the folder itself.
  /^!?\.{1,2}\//,
  /\/\.{1,2}(?:\/|$)/,
  /^!?\/?$/,
  // Windows separators: here a backslash escapes the next character.
  /^!?[a-z]:[\\/]/i,
  /\\(?:[\p{L}\p{N}_]|$)/u,
];

/** Limits, because each further star may multiply the matching time by the path's length. */
const longestLine = 300;
const maxStars = 6;
const maxAnyDepths = 3;

/**
 * Empty lines and comments are allowed.
 *
 * @param field the rule's field that contains them
 * @throws TileliftError `watch-pattern-invalid` with the first line that never matches or takes too long
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

/** The library accepts an unclosed class as a line that never matches. */
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
