import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { hasCode } from '../../errno.ts';
import { carefully, entryAt, type HeldFolder } from '../folder/held-folder.ts';
import { type Claim, type ClaimOwner, isOwn, parseClaim } from './claim-model.ts';
import type { SeenClaims } from './seen-claims.ts';

/**
 * One claim on a network folder, as a file. Others write there too: a claim is believed only as far as its
 * size and shape go, and no link is followed.
 */

/** Bytes; a claim needs less than 2,000, its outcome and its list of files apart. */
const maxClaimBytes = 64 * 1024;

interface ReadClaim {
  /** Null where the content makes no sense: damaged, half-written, or of someone who is no Tilelift. */
  readonly claim: Claim | null;
  /** Of content and time: another after every change, also after a renewal. */
  readonly generation: string;
  /** Of a version that this one can't read. */
  readonly isLater: boolean;
}

/**
 * Undefined when there is none. A link, a pipe or a giant in its place is a claim that makes no sense, and is
 * not opened or read.
 */
export async function readClaim(folder: HeldFolder, name: string): Promise<ReadClaim | undefined> {
  const stats = await entryAt(folder, name);
  if (!stats) return undefined;
  const text = stats.isFile() ? await textOf(folder, name) : null;
  const sum = createHash('sha256').update(`${stats.mtimeNs}\0${text ?? stats.ino}`);
  const claim = text === null ? null : parseClaim(text);
  return {
    claim: claim === 'later' ? null : claim,
    generation: sum.digest('hex').slice(0, 16),
    isLater: claim === 'later',
  };
}

/** Null for what is no plain file, too large, or gone. */
async function textOf(folder: HeldFolder, name: string): Promise<string | null> {
  const file = await openPlain(folder, name, constants.O_RDONLY);
  if (!file) return null;
  try {
    return await textIn(file);
  } finally {
    await file.close();
  }
}

async function textIn(file: FileHandle): Promise<string | null> {
  const { size } = await file.stat();
  if (size > maxClaimBytes) return null;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

/** Null for a link, a folder, a pipe, a file with a second name, and what is gone or not ours to open. */
async function openPlain(folder: HeldFolder, name: string, flags: number): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    file = await open(folder.at(name), flags | carefully);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'EISDIR', 'ENXIO', 'EACCES', 'EPERM')) return null;
    throw error;
  }
  const stats = await file.stat();
  if (stats.isFile() && stats.nlink <= 1) return file;
  await file.close();
  return null;
}

/** False when something else was there first. */
export async function makeClaim(folder: HeldFolder, name: string, claim: Claim): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(folder.at(name), 'wx');
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    await write(file, claim);
  } finally {
    await file.close();
  }
  return true;
}

/**
 * Writes over a claim of this owner, in one go, so that a kill leaves one or the other. False when it is not
 * this owner's any more: whoever took it over put another file in its place, which is not touched.
 */
export async function rewriteClaim(
  folder: HeldFolder,
  name: string,
  owner: ClaimOwner,
  change: (claim: Claim) => Claim,
): Promise<boolean> {
  const file = await openPlain(folder, name, constants.O_RDWR);
  if (!file) return false;
  try {
    const claim = parseClaim((await textIn(file)) ?? '');
    if (claim === null || claim === 'later' || !isOwn(claim, owner)) return false;
    await write(file, change(claim));
  } finally {
    await file.close();
  }
  // It may have been moved away under our hands.
  return isOwn((await readClaim(folder, name))?.claim, owner);
}

/**
 * Clears away a claim that is as it was read: for each generation only one of any number of computers does.
 * False when another does, or did. Whoever dies in the middle holds the others up until they have seen that
 * nothing moves.
 */
export async function clearClaim(
  folder: HeldFolder,
  name: string,
  read: ReadClaim,
  seen: SeenClaims,
): Promise<boolean> {
  const lock = await lockGeneration(folder, `${name}.${read.generation}`, seen);
  if (lock === null) return false;
  try {
    if ((await readClaim(folder, name))?.generation !== read.generation) return false;
    const aside = `${name}.${randomUUID()}.old`;
    await rename(folder.at(name), folder.at(aside));
    // A folder that someone put there stays aside.
    await unlink(folder.at(aside)).catch(() => {});
    return true;
  } catch (error) {
    // Its owner let go of it, or has it open where that keeps it from being moved.
    if (hasCode(error, 'ENOENT', 'EBUSY', 'EPERM')) return false;
    throw error;
  } finally {
    await unlink(folder.at(lock)).catch(() => {});
  }
}

const maxLocks = 20;

async function lockGeneration(folder: HeldFolder, stem: string, seen: SeenClaims): Promise<string | null> {
  for (let count = 1; count <= maxLocks; count++) {
    const lock = `${stem}-${count}.lock`;
    try {
      await (await open(folder.at(lock), 'wx')).close();
      return lock;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const made = await entryAt(folder, lock);
    if (!made || !seen.isStale(lock, `${made.ino} ${made.mtimeNs}`)) return null;
  }
  return null;
}

/** Gives the claim up when it is still this owner's. */
export async function dropClaim(folder: HeldFolder, name: string, owner: ClaimOwner): Promise<void> {
  if (!isOwn((await readClaim(folder, name))?.claim, owner)) return;
  await unlink(folder.at(name)).catch((error) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

/** Room for a longer outcome: a file that never shrinks is never half a file. */
const room = 512;

async function write(file: FileHandle, claim: Claim): Promise<void> {
  const { size } = await file.stat();
  const text = Buffer.from(JSON.stringify(claim));
  const length = Math.max(size, Math.ceil((text.length + 1) / room) * room);
  await file.write(Buffer.concat([text, Buffer.alloc(length - text.length, ' ')]), 0, length, 0);
  await file.sync();
}
