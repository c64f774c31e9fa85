import { dirname, sep } from 'node:path';
import type { NewJob } from '../model.ts';

/**
 * The folder whose absence means that a file was not taken out of its source but went with its drive: the watched folder, or what a person has dropped (of a
 * file alone: the folder that it lies in). Null where the path belongs to none. Pure.
 *
 * @param path absolute, of a source file, or what an error is about
 */
export function homeOf({ paths, exactly }: Pick<NewJob, 'paths' | 'exactly'>, path: string): string | null {
  if (exactly) return exactly.home ?? exactly.keysFrom;
  for (const dropped of paths) {
    if (path === dropped) return dirname(dropped);
    if (path.startsWith(dropped.endsWith(sep) ? dropped : `${dropped}${sep}`)) return dropped;
  }
  return null;
}
