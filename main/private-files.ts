import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ownerOnly = { folder: 0o700, file: 0o600 };

/**
 * Also restricts the files that `isOurs` selects: earlier versions or copies may be readable. Skips links.
 * Returns paths that it couldn't restrict; never throws. On Windows the profile's access lists protect them.
 */
export function keepPrivate(folder: string, isOurs: (name: string) => boolean): readonly string[] {
  const unprotected: string[] = [];
  try {
    mkdirSync(folder, { recursive: true, mode: ownerOnly.folder });
    if (process.platform === 'win32') return [];
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile() && isOurs(entry.name) && !tighten(join(folder, entry.name), ownerOnly.file))
        unprotected.push(entry.name);
    if (!tighten(folder, ownerOnly.folder)) unprotected.push(folder);
  } catch {
    // The next write reports the problem.
    unprotected.push(folder);
  }
  return unprotected;
}

/** False if not permitted. */
function tighten(path: string, mode: number): boolean {
  try {
    if ((lstatSync(path).mode & 0o777 & ~mode) !== 0) chmodSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

interface PosixFacts {
  readonly uid: number;
  readonly mode: number;
}

const writableByOthers = 0o022;

/** `owners`: user IDs. Pure. */
export function isProtectedOnPosix({ uid, mode }: PosixFacts, ...owners: readonly number[]): boolean {
  return owners.includes(uid) && (mode & writableByOthers) === 0;
}
