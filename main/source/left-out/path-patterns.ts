import ignore from 'ignore';

/** True when the lines fit this path: relative to where they hold, `/`-separated. */
export type PathFits = (path: string, isFolder: boolean) => boolean;

const fitsNothing: PathFits = () => false;
/** The rules remember what they said of each path: of more than so many they forget it all, lest a folder that is watched for months fill the memory. */
const mostRemembered = 10_000;

/**
 * Lines in gitignore syntax, without regard to case, as the default patterns are. What lies below a folder that fits, fits with it; later lines win over earlier
 * ones. Names are compared in NFC.
 */
export function createPathFits(lines: readonly string[]): PathFits {
  if (lines.length === 0) return fitsNothing;
  const normalized = lines.map((line) => line.normalize('NFC'));
  let rules = ignore().add(normalized);
  let asked = 0;
  return (path, isFolder) => {
    if (++asked > mostRemembered) {
      rules = ignore().add(normalized);
      asked = 0;
    }
    const shown = path.normalize('NFC');
    return ignore.isPathValid(shown) && rules.ignores(isFolder ? `${shown}/` : shown);
  };
}

/** A line that fits exactly this path (relative, `/`-separated), anchored; for a folder with everything in it. */
export function lineFor(path: string, isFolder: boolean): string {
  const escaped = path.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  return `/${escaped}${isFolder ? '/' : ''}`;
}
