import { isAbsolute, relative, sep } from 'node:path';

/**
 * Converts a path below a folder to a storage key: `/`-separated, NFC. macOS decomposes names, other systems
 * compose them.
 */
export function toKey(path: string): string {
  return (sep === '/' ? path : path.replaceAll(sep, '/')).normalize('NFC');
}

/** Returns the path relative to the folder, `/`-separated, empty for the folder itself; null if outside. */
export function pathBelow(folder: string, path: string): string | null {
  const way = relative(folder, path);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return null;
  return sep === '/' ? way : way.replaceAll(sep, '/');
}
