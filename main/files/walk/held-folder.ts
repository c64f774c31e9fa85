import { closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { pathBelow } from '../paths.ts';

/** A folder that is being read. */
export interface HeldFolder {
  /** What to read it by. */
  readonly root: string;
  /** Throws when a link may have stood in its place meanwhile. */
  check(): void;
  close(): void;
}

/**
 * Where others can write, a folder may be replaced by a link at any moment, and back again before anybody
 * looks. On Linux the folder is held open and read through its descriptor: the system says where it really
 * is. Elsewhere its path is compared before and after.
 *
 * @param within no link on the way may lead out of it; undefined: the path is trusted
 * @throws the system's error, or ENOTDIR where a link leads out of `within` or stands in the folder's place
 */
export function holdFolder(path: string, within: string | undefined): HeldFolder {
  if (within === undefined) return { root: path, check: () => {}, close: () => {} };
  const mayBeLink = path === within;
  if (process.platform === 'linux') {
    const shown = openFiles();
    const descriptor = openSync(
      path,
      constants.O_RDONLY | constants.O_DIRECTORY | (mayBeLink ? 0 : constants.O_NOFOLLOW),
    );
    const root = `${shown}/${descriptor}`;
    try {
      refuseOutside(within, readlinkSync(root), path);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return { root, check: () => {}, close: () => closeSync(descriptor) };
  }
  const check = () => {
    if (!mayBeLink && !lstatSync(path).isDirectory()) throw leadsOutside(path);
    refuseOutside(within, realpathSync.native(path), path);
  };
  check();
  return { root: path, check, close: () => {} };
}

function refuseOutside(within: string, really: string, path: string): void {
  if (pathBelow(realpathSync.native(within), really) === null) throw leadsOutside(path);
}

const leadsOutside = (path: string) => Object.assign(new Error(`${path} leads outside`), { code: 'ENOTDIR' });

let ownFolder: string | undefined;

/**
 * Where Linux shows what this process has open. `/proc/self` is a link, which the system would follow for
 * every file.
 */
function openFiles(): string {
  ownFolder ??= `/proc/${readlinkSync('/proc/self')}/fd`;
  return ownFolder;
}
