import { type BigIntStats, constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../errno.ts';

/** A folder that stays the same during an operation, even if other users replace it or a parent. */
export interface HeldFolder extends AsyncDisposable {
  readonly device: bigint;
  readonly path: string;
  entryPath(name: string): string;
  /** Call it right before and after an operation. Throws `InTheWay` if the folder was replaced. */
  check(): Promise<void>;
}

/** A link, a file or another folder has replaced the folder. */
export class InTheWay extends Error {
  override readonly name = 'InTheWay';
}

/** A folder that was created; `way` is its path from `base`. */
export interface MadeFolder {
  readonly base: string;
  readonly way: readonly string[];
}

interface HoldOptions {
  /** Creates missing folders and receives them, outermost first. Default: creates none. */
  readonly madeFolders?: MadeFolder[] | undefined;
  readonly platform?: NodeJS.Platform;
}

/**
 * Undefined in Node on Windows; opening doesn't follow the links that unprivileged users can create there.
 */
const noFollow = constants.O_NOFOLLOW ?? 0;
const folderOnly = (constants.O_DIRECTORY ?? 0) | noFollow;

/** Opens untrusted paths: follows no link, doesn't block on a pipe. */
export const carefully = noFollow | (constants.O_NONBLOCK ?? 0);

/**
 * Holds the folder at `names` below `base`. Follows links on the way to `base`, which are the user's own, but
 * none below it.
 *
 * Linux reaches entries through the open folder (`/proc/self/fd`, like `openat`), so nothing can be swapped
 * in between. Other systems compare every folder on the way before and after.
 *
 * @throws InTheWay if a part isn't a folder, or the system's errors
 */
export async function holdFolder(
  base: string,
  names: readonly string[],
  { madeFolders, platform = process.platform }: HoldOptions = {},
): Promise<HeldFolder> {
  const hold = platform === 'linux' ? holdOpen : holdByStats;
  for (const name of names) checkName(name);
  let folder = await hold(await realpath(base), null);
  for (const [index, name] of names.entries()) {
    const outer = folder;
    try {
      folder = await hold(outer.entryPath(name), outer).catch(async (error) => {
        if (madeFolders === undefined || !hasCode(error, 'ENOENT')) throw error;
        const isMade = await mkdir(outer.entryPath(name)).then(() => true, unlessThere);
        if (isMade) madeFolders.push({ base, way: names.slice(0, index + 1) });
        return hold(outer.entryPath(name), outer);
      });
    } catch (error) {
      await outer[Symbol.asyncDispose]();
      throw error;
    }
    await outer[Symbol.asyncDispose]();
  }
  return folder;
}

/** Removes an empty folder. */
export async function removeEmpty({ base, way }: MadeFolder): Promise<void> {
  await using outer = await holdFolder(base, way.slice(0, -1));
  await rmdir(outer.entryPath(way.at(-1) ?? ''));
}

async function holdOpen(path: string): Promise<HeldFolder> {
  const handle = await open(path, constants.O_RDONLY | folderOnly).catch((error) => {
    if (hasCode(error, 'ENOTDIR') || hasCode(error, 'ELOOP'))
      throw new InTheWay(`${path} is no folder`, { cause: error });
    throw error;
  });
  const { dev } = await handle.stat({ bigint: true });
  return {
    device: dev,
    path: `/proc/self/fd/${handle.fd}`,
    entryPath: (name) => `/proc/self/fd/${handle.fd}/${checkName(name)}`,
    check: async () => {},
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function holdByStats(path: string, outer: HeldFolder | null): Promise<HeldFolder> {
  const readStats = async () => {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isDirectory()) throw new InTheWay(`${path} is no folder`);
    return stats;
  };
  const { dev, ino } = await readStats();
  return {
    device: dev,
    path,
    entryPath: (name) => join(path, checkName(name)),
    check: async () => {
      await outer?.check();
      const currentStats = await readStats();
      if (currentStats.dev !== dev || currentStats.ino !== ino)
        throw new InTheWay(`${path} is another folder now`);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Throws `InTheWay` unless it is a single name. */
function checkName(name: string): string {
  if (!isName(name)) throw new InTheWay(`${JSON.stringify(name)} is no name`);
  return name;
}

/** Whether it can be the name of one entry. */
export function isName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) return false;
  return process.platform !== 'win32' || !/[\\:]/.test(name);
}

/** Reads an entry's facts without following links. Undefined if missing. */
export async function entryAt(folder: HeldFolder, name: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(folder.entryPath(name), { bigint: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function unlessThere(error: unknown): false {
  if (!hasCode(error, 'EEXIST')) throw error;
  return false;
}

/** Whether it is a plain file; follows no link. False on errors. */
export async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
