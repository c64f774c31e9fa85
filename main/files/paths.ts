import { isAbsolute, relative, sep } from 'node:path';

/**
 * The `/`-separated path below a folder in the form that storage gets: NFC, case kept. Names on macOS come
 * decomposed, on other systems composed.
 */
export function toKey(path: string): string {
  return (sep === '/' ? path : path.replaceAll(sep, '/')).normalize('NFC');
}

/**
 * Where a path is in a folder: relative, `/`-separated, empty for the folder itself; null when it is outside.
 */
export function pathBelow(folder: string, path: string): string | null {
  const way = relative(folder, path);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return null;
  return sep === '/' ? way : way.replaceAll(sep, '/');
}
