import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ownerOnly = { folder: 0o700, file: 0o600 };

/**
 * Makes a folder that its owner alone can look into, and takes from everyone else what they may do with it
 * and with the files in it that `isOurs` names: a folder of an earlier version, or one that was copied, may
 * let others read. Links are left as they are. Gives what could not be tightened; never throws. Windows goes
 * by the lists of the person's profile instead.
 */
export function keepPrivate(folder: string, isOurs: (name: string) => boolean): readonly string[] {
  const loose: string[] = [];
  try {
    mkdirSync(folder, { recursive: true, mode: ownerOnly.folder });
    if (process.platform === 'win32') return [];
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile() && isOurs(entry.name) && !tighten(join(folder, entry.name), ownerOnly.file))
        loose.push(entry.name);
    if (!tighten(folder, ownerOnly.folder)) loose.push(folder);
  } catch {
    // Whoever writes there next says why that can't be done.
    loose.push(folder);
  }
  return loose;
}

/** False where that may not be done. */
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

/** Whether nobody but the owner, who is one of `owners` (user ids), can write to a file or folder. Pure. */
export function isProtectedOnPosix({ uid, mode }: PosixFacts, ...owners: readonly number[]): boolean {
  return owners.includes(uid) && (mode & writableByOthers) === 0;
}
