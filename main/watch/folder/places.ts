import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { TileliftError } from '../../errors.ts';

/** Of what is not there yet: of the nearest folder above that is. */
export async function truePlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : resolve(await truePlace(above), relative(above, path));
  }
}

/** `inner` is `outer`, or lies somewhere below it. */
export function isWithin(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Why a folder may not be watched where an administrator allows only what lies in some places, links followed on both sides; null where it may. */
export async function refuseOutside(folder: string, roots: readonly string[]): Promise<TileliftError | null> {
  const place = await truePlace(folder);
  for (const root of roots) if (isWithin(place, await truePlace(root))) return null;
  return new TileliftError('watch-folder-outside', { subject: { names: roots } });
}
