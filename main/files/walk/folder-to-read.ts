import { closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { pathBelow } from '../paths.ts';

export interface FolderToRead {
  readonly root: string;
  /** Throws if a link may have replaced the folder. */
  check(): void;
  dispose(): void;
}

/**
 * Holds a folder that others might replace with a link while it is read. Linux reads through an open
 * descriptor with a verifiable path; other systems compare the path before and after.
 *
 * @param parentFolder the folder that links must not leave; undefined: the path is trusted
 * @throws the system's error, or ENOTDIR if a link leads out of `parentFolder` or replaces the folder
 */
export function openFolderToRead(path: string, parentFolder: string | undefined): FolderToRead {
  if (parentFolder === undefined) return { root: path, check: () => {}, dispose: () => {} };
  const mayBeLink = path === parentFolder;
  if (process.platform === 'linux') {
    const descriptorFolder = openFiles();
    const descriptor = openSync(
      path,
      constants.O_RDONLY | constants.O_DIRECTORY | (mayBeLink ? 0 : constants.O_NOFOLLOW),
    );
    const root = `${descriptorFolder}/${descriptor}`;
    try {
      refuseOutside(parentFolder, readlinkSync(root), path);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return { root, check: () => {}, dispose: () => closeSync(descriptor) };
  }
  const check = () => {
    if (!mayBeLink && !lstatSync(path).isDirectory()) throw leadsOutside(path);
    refuseOutside(parentFolder, realpathSync.native(path), path);
  };
  check();
  return { root: path, check, dispose: () => {} };
}

function refuseOutside(parentFolder: string, realFolder: string, path: string): void {
  if (pathBelow(realpathSync.native(parentFolder), realFolder) === null) throw leadsOutside(path);
}

const leadsOutside = (path: string) => Object.assign(new Error(`${path} leads outside`), { code: 'ENOTDIR' });

let ownFolder: string | undefined;

/** Avoids the link `/proc/self`, which would be resolved for every file. */
function openFiles(): string {
  ownFolder ??= `/proc/${readlinkSync('/proc/self')}/fd`;
  return ownFolder;
}
