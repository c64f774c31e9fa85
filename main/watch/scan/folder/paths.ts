import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { TileliftError } from '../../../errors.ts';
import { pathBelow } from '../../../files/paths.ts';

/** Resolves links; for a missing path, those of its nearest existing parent. */
export async function truePath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(await truePath(parent), relative(parent, path));
  }
}

/** Whether `inner` is `outer` or below it. */
export function isWithin(inner: string, outer: string): boolean {
  return pathBelow(outer, inner) !== null;
}

/** Why a folder outside the administrator's roots may not be watched, or null. Resolves links. */
export async function refuseOutside(folder: string, roots: readonly string[]): Promise<TileliftError | null> {
  const place = await truePath(folder);
  for (const root of roots) if (isWithin(place, await truePath(root))) return null;
  return new TileliftError('watch-folder-outside', { subject: { names: roots } });
}
