import { type BigIntStats, constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import { ownFolder } from '../survey/left-out.ts';

/**
 * A folder that stays the same one while something is done in it, whatever others put in its place or in that
 * of a folder on the way.
 */
export interface HeldFolder extends AsyncDisposable {
  /** The device that it is on. */
  readonly device: bigint;
  /** The folder itself, to be listed while it is held. */
  readonly path: string;
  /** The path of an entry, to be used while the folder is held. */
  at(name: string): string;
  /**
   * To be called right before and after something is done, where the system can't hold a folder. Throws
   * `InTheWay` when it is another one by now.
   */
  check(): Promise<void>;
}

/** Where a folder should be stands something else: a link, a file, another folder than before. */
export class InTheWay extends Error {
  override readonly name = 'InTheWay';
}

/** A folder that was made on the way, `way` leading to it from `base`. */
export interface MadeFolder {
  readonly base: string;
  readonly way: readonly string[];
}

interface HoldOptions {
  /** Makes the folders that are missing; gets them, outermost first. Default: nothing is made. */
  readonly made?: MadeFolder[] | undefined;
  readonly platform?: NodeJS.Platform;
}

/** Undefined in Node on Windows, where opening a path follows no links of a kind that anyone may make. */
const noFollow = constants.O_NOFOLLOW ?? 0;
const folderOnly = (constants.O_DIRECTORY ?? 0) | noFollow;

/**
 * Flags to open what others may have put there: follows no link, does not block on a pipe without a writer.
 */
export const carefully = noFollow | (constants.O_NONBLOCK ?? 0);

/**
 * Holds the folder that `names` lead to from `base`. Links on the way to `base` are the person's own and are
 * followed; below it none is.
 *
 * Linux reaches entries through the open folder itself (`/proc/self/fd`, as `openat` does), so nothing can be
 * swapped in between. The other systems have no such path: there every folder on the way is compared before
 * and after.
 *
 * @throws InTheWay when something else than a folder is met; the system's own errors
 */
export async function holdFolder(
  base: string,
  names: readonly string[],
  { made, platform = process.platform }: HoldOptions = {},
): Promise<HeldFolder> {
  const hold = platform === 'linux' ? holdOpen : holdByLooks;
  for (const name of names) checkName(name);
  let held = await hold(await realpath(base), null);
  for (const [index, name] of names.entries()) {
    const outer = held;
    try {
      held = await hold(outer.at(name), outer).catch(async (error) => {
        if (made === undefined || !hasCode(error, 'ENOENT')) throw error;
        const isMade = await mkdir(outer.at(name)).then(() => true, unlessThere);
        if (isMade) made.push({ base, way: names.slice(0, index + 1) });
        return hold(outer.at(name), outer);
      });
    } catch (error) {
      await outer[Symbol.asyncDispose]();
      throw error;
    }
    await outer[Symbol.asyncDispose]();
  }
  return held;
}

/** Takes a folder away that nothing is in. */
export async function removeEmpty({ base, way }: MadeFolder): Promise<void> {
  await using outer = await holdFolder(base, way.slice(0, -1));
  await rmdir(outer.at(way.at(-1) ?? ''));
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
    at: (name) => `/proc/self/fd/${handle.fd}/${checkName(name)}`,
    check: async () => {},
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function holdByLooks(path: string, outer: HeldFolder | null): Promise<HeldFolder> {
  const look = async () => {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isDirectory()) throw new InTheWay(`${path} is no folder`);
    return stats;
  };
  const { dev, ino } = await look();
  return {
    device: dev,
    path,
    at: (name) => join(path, checkName(name)),
    check: async () => {
      await outer?.check();
      const now = await look();
      if (now.dev !== dev || now.ino !== ino) throw new InTheWay(`${path} is another folder now`);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** One name, which leads nowhere else. Throws `InTheWay`. */
function checkName(name: string): string {
  if (!isName(name)) throw new InTheWay(`${JSON.stringify(name)} is no name`);
  return name;
}

/** True for what can be the name of one entry in a folder. */
export function isName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) return false;
  return process.platform !== 'win32' || !/[\\:]/.test(name);
}

/** Undefined where there is nothing; of a link itself, not of what it leads to. */
export async function entryAt(folder: HeldFolder, name: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(folder.at(name), { bigint: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function unlessThere(error: unknown): false {
  if (!hasCode(error, 'EEXIST')) throw error;
  return false;
}

/**
 * Tilelift's own folder in a watched one, or one in it. It is made when missing, but the watched folder is
 * not: where a drive is away, nothing may be made in its place. It counts only as a real folder on the drive
 * of the watched one: what others put in its place is not followed.
 *
 * @throws TileliftError `watch-own-folder-foreign`; the system's own errors
 */
export async function holdOwnFolder(folder: string, ...below: readonly string[]): Promise<HeldFolder> {
  try {
    await using watched = await holdFolder(folder, []);
    const held = await holdFolder(folder, [ownFolder, ...below], { made: [] });
    if (held.device === watched.device) return held;
    await held[Symbol.asyncDispose]();
    throw new InTheWay(`${ownFolder} lies on another drive`);
  } catch (cause) {
    if (cause instanceof InTheWay)
      throw new TileliftError('watch-own-folder-foreign', { subject: folder, cause });
    throw cause;
  }
}
