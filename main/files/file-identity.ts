import { type BigIntStats, constants, type Stats } from 'node:fs';
import { hasCode } from '../errno.ts';

/** Identifies a file beyond name, size and modification time. */
export interface FileIdentity {
  /**
   * Device and inode (Windows: volume and file id), decimal and exact: `64768:1234`. Null if the file system
   * has no stable ids.
   */
  readonly fileId: string | null;
  /** Time of the last change of any kind, which programs can't set, ms. */
  readonly ctimeMs: number;
}

/** Opens sources without following a link and without blocking on a pipe. Some systems lack these flags. */
export const readFlags: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `readExactly` is called if a number can't hold the inode. */
export function identityOf(stats: Stats, readExactly: () => BigIntStats): FileIdentity {
  return { fileId: fileIdOf(stats, readExactly), ctimeMs: stats.ctimeMs };
}

export function fileIdOf({ dev, ino }: Stats, readExactly: () => BigIntStats): string {
  if (Number.isSafeInteger(dev) && Number.isSafeInteger(ino)) return `${dev}:${ino}`;
  const exact = readExactly();
  return `${exact.dev}:${exact.ino}`;
}

export function isSameFile(firstIdentity: FileIdentity, secondIdentity: FileIdentity): boolean {
  return firstIdentity.ctimeMs === secondIdentity.ctimeMs && hasSameId(firstIdentity, secondIdentity);
}

/**
 * Whether the file was probably not replaced. Permissions or names change only the time, and some file
 * systems (FAT, network drives) only renumber their files.
 */
export function maybeSameFile(firstIdentity: FileIdentity, secondIdentity: FileIdentity): boolean {
  return firstIdentity.ctimeMs === secondIdentity.ctimeMs || hasSameId(firstIdentity, secondIdentity);
}

function hasSameId(firstIdentity: FileIdentity, secondIdentity: FileIdentity): boolean {
  return (
    firstIdentity.fileId === null ||
    secondIdentity.fileId === null ||
    firstIdentity.fileId === secondIdentity.fileId
  );
}

/** Whether opening failed because the file is gone or no longer a regular file. */
export const isGone = (error: unknown): boolean =>
  hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENXIO');
