import ignore from 'ignore';

/** Whether lines match a relative, `/`-separated path. */
export type PathFits = (path: string, isFolder: boolean) => boolean;

const fitsNothing: PathFits = () => false;
/** The library caches each path; starting over keeps folders watched for months from filling memory. */
const maxRemembered = 10_000;

/**
 * Matches gitignore lines, ignoring case. A matching folder includes its contents; later lines win. Compares
 * names in NFC.
 */
export function createPathFits(lines: readonly string[]): PathFits {
  if (lines.length === 0) return fitsNothing;
  const normalized = lines.map((line) => line.normalize('NFC'));
  let rules = ignore().add(normalized);
  let queryCount = 0;
  return (path, isFolder) => {
    if (++queryCount > maxRemembered) {
      rules = ignore().add(normalized);
      queryCount = 0;
    }
    const normalizedPath = path.normalize('NFC');
    return (
      ignore.isPathValid(normalizedPath) && rules.ignores(isFolder ? `${normalizedPath}/` : normalizedPath)
    );
  };
}

/** Returns an anchored line for exactly this path (relative, `/`-separated) and a folder's contents. */
export function lineFor(path: string, isFolder: boolean): string {
  const escaped = path.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  return `/${escaped}${isFolder ? '/' : ''}`;
}

/**
 * Converts a folder's gitignore lines for a subfolder. `names` is the path between them, of which no folder
 * may be excluded.
 *
 * A line without a slash stays. Others lose one piece per matching name, or are dropped. `**` matches any
 * number of names, so one line may become several.
 */
export function patternsBelow(lines: readonly string[], names: readonly string[]): readonly string[] {
  if (names.length === 0) return lines;
  return lines.flatMap((line) => lineBelow(line, names));
}

/** Only the space after a backslash counts. */
const spaceAtEnd = /(?<![\\\s])\s+$|(?<=\\\s)\s+$/;

function lineBelow(line: string, names: readonly string[]): readonly string[] {
  if (line.startsWith('#') || line.trim() === '') return [];
  const sign = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(sign.length);
  const body = pattern.replace(spaceAtEnd, '');
  const folderOnly = body.endsWith('/') ? '/' : '';
  const bare = folderOnly ? body.slice(0, -1) : body;
  if (!bare.includes('/')) return [line];
  let rests: readonly (readonly string[])[] = [bare.replace(/^\//, '').split('/')];
  for (const name of names) rests = rests.flatMap((remainder) => skipPiece(remainder, name));
  const remaining = new Set(rests.filter((pieces) => pieces.length > 0).map((pieces) => pieces.join('/')));
  return [...remaining].map((remainder) => `${sign}/${remainder}${folderOnly}`);
}

/** Returns the possible rests of a pattern after matching this name. */
function skipPiece([piece, ...laterPieces]: readonly string[], name: string): readonly (readonly string[])[] {
  if (piece === undefined) return [];
  if (piece === '**')
    return laterPieces.length === 0 ? [[piece]] : [[piece, ...laterPieces], ...skipPiece(laterPieces, name)];
  return createPathFits([`/${piece}`])(name, true) ? [laterPieces] : [];
}
