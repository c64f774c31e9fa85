import ignore from 'ignore';

/** True when the lines fit this path: relative to where they hold, `/`-separated. */
export type PathFits = (path: string, isFolder: boolean) => boolean;

const fitsNothing: PathFits = () => false;
/**
 * The rules remember what they said of each path: of more than so many they forget it all, lest a folder that
 * is watched for months fill the memory.
 */
const maxRemembered = 10_000;

/**
 * Lines in gitignore syntax, without regard to case, as the default patterns are. What is below a folder that
 * fits, fits with it; later lines win over earlier ones. Names are compared in NFC.
 */
export function createPathFits(lines: readonly string[]): PathFits {
  if (lines.length === 0) return fitsNothing;
  const normalized = lines.map((line) => line.normalize('NFC'));
  let rules = ignore().add(normalized);
  let asked = 0;
  return (path, isFolder) => {
    if (++asked > maxRemembered) {
      rules = ignore().add(normalized);
      asked = 0;
    }
    const shown = path.normalize('NFC');
    return ignore.isPathValid(shown) && rules.ignores(isFolder ? `${shown}/` : shown);
  };
}

/** A line that fits exactly this path (relative, `/`-separated), anchored; for a folder with its contents. */
export function lineFor(path: string, isFolder: boolean): string {
  const escaped = path.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  return `/${escaped}${isFolder ? '/' : ''}`;
}

/**
 * Lines in gitignore syntax that hold in a folder, made to hold in one below it: matched against paths
 * relative to that, they say the same. `names` leads from the one to the other; nothing on that way may
 * itself be left out.
 *
 * A line without a slash holds at any depth and stays. One with a slash loses a piece for every name that the
 * piece fits, and falls away when it fits elsewhere only; `**` stands for any number of names, so one line
 * may become several.
 */
export function patternsBelow(lines: readonly string[], names: readonly string[]): readonly string[] {
  if (names.length === 0) return lines;
  return lines.flatMap((line) => below(line, names));
}

/** Space after a backslash is meant; what follows that is not. */
const spaceAtEnd = /(?<![\\\s])\s+$|(?<=\\\s)\s+$/;

function below(line: string, names: readonly string[]): readonly string[] {
  if (line.startsWith('#') || line.trim() === '') return [];
  const sign = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(sign.length);
  const body = pattern.replace(spaceAtEnd, '');
  const folderOnly = body.endsWith('/') ? '/' : '';
  const bare = folderOnly ? body.slice(0, -1) : body;
  if (!bare.includes('/')) return [line];
  let rests: readonly (readonly string[])[] = [bare.replace(/^\//, '').split('/')];
  for (const name of names) rests = rests.flatMap((rest) => without(rest, name));
  const left = new Set(rests.filter((rest) => rest.length > 0).map((rest) => rest.join('/')));
  return [...left].map((rest) => `${sign}/${rest}${folderOnly}`);
}

/** What may be left of a pattern’s pieces once its beginning has taken this name. */
function without([piece, ...rest]: readonly string[], name: string): readonly (readonly string[])[] {
  if (piece === undefined) return [];
  if (piece === '**') return rest.length === 0 ? [[piece]] : [[piece, ...rest], ...without(rest, name)];
  return createPathFits([`/${piece}`])(name, true) ? [rest] : [];
}
