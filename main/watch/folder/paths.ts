import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { TileliftError } from '../../errors.ts';
import { pathBelow } from '../../files/paths.ts';

/** Of what is not there yet: of the nearest folder above that is. */
export async function truePath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : resolve(await truePath(above), relative(above, path));
  }
}

/** `inner` is `outer`, or is somewhere below it. */
export function isWithin(inner: string, outer: string): boolean {
  return pathBelow(outer, inner) !== null;
}

/**
 * Why a folder may not be watched where an administrator allows only what is in some places, links followed
 * on both sides; null where it may.
 */
export async function refuseOutside(folder: string, roots: readonly string[]): Promise<TileliftError | null> {
  const place = await truePath(folder);
  for (const root of roots) if (isWithin(place, await truePath(root))) return null;
  return new TileliftError('watch-folder-outside', { subject: { names: roots } });
}
