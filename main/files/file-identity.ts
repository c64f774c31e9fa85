import { type BigIntStats, constants, type Stats } from 'node:fs';
import { hasCode } from '../errno.ts';

/** Which file was under a name, however alike its size and time of modification are to another's. */
export interface FileIdentity {
  /**
   * Device and inode (Windows: volume and file id), decimal and exact: `64768:1234`. Null where the file
   * system has none that lasts.
   */
  readonly fileId: string | null;
  /** Time of the last change of any kind, which no program can set, ms. */
  readonly ctimeMs: number;
}

/**
 * How a source is opened: never through a link in the place of the file, and never waiting for the other end
 * of a pipe. Systems without these say so by leaving them out.
 */
export const readFlags: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `exactly` is asked where a number can't hold the inode. */
export function identityOf(stats: Stats, exactly: () => BigIntStats): FileIdentity {
  return { fileId: fileIdOf(stats, exactly), ctimeMs: stats.ctimeMs };
}

export function fileIdOf({ dev, ino }: Stats, exactly: () => BigIntStats): string {
  if (Number.isSafeInteger(dev) && Number.isSafeInteger(ino)) return `${dev}:${ino}`;
  const exact = exactly();
  return `${exact.dev}:${exact.ino}`;
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.ctimeMs === other.ctimeMs && hasSameId(one, other);
}

/**
 * Nothing says that another file was put in its place: either it is the same file, which was changed (its
 * permissions, its name), or nothing was changed and the file system has counted its files again, as some do
 * (FAT, network drives).
 */
export function maybeSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.ctimeMs === other.ctimeMs || hasSameId(one, other);
}

function hasSameId(one: FileIdentity, other: FileIdentity): boolean {
  return one.fileId === null || other.fileId === null || one.fileId === other.fileId;
}

/** Of opening a file: it is gone, or a link or something else stands in its place. */
export const isGone = (error: unknown): boolean =>
  hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENXIO');
