import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { hasCode } from '../errno.ts';
import { carefully, entryAt, type HeldFolder } from './held-folder.ts';

/**
 * Small files in a held folder. Other users can write there, so links aren't followed and reads are limited.
 */

interface HeldFile {
  /** Null for a link, a pipe, several hard links, or a file that is too large. */
  readonly text: string | null;
  /** Derived from the content, independent of clocks. */
  readonly generation: string;
}

/** Reads a file; undefined if missing. `maxBytes`: larger files aren't read. */
export async function readHeld(
  folder: HeldFolder,
  name: string,
  maxBytes: number,
): Promise<HeldFile | undefined> {
  const stats = await entryAt(folder, name);
  if (!stats) return undefined;
  const text = stats.isFile() ? await textOf(folder, name, maxBytes) : null;
  const generation = createHash('sha256').update(text ?? `${stats.ino} ${stats.mtimeNs}`);
  return { text, generation: generation.digest('hex').slice(0, 16) };
}

/** Creates a file. Returns false if the name exists. */
export async function createHeld(folder: HeldFolder, name: string, value: object): Promise<boolean> {
  await using file = await open(folder.entryPath(name), 'wx').catch((error) => {
    if (hasCode(error, 'EEXIST')) return null;
    throw error;
  });
  if (file) await write(file, value);
  return file !== null;
}

/**
 * Overwrites a file in one write, so that a kill leaves the old or the new content. Returns false if the name
 * now belongs to another computer's file.
 */
export async function rewriteHeld(
  folder: HeldFolder,
  name: string,
  isOurs: (text: string) => boolean,
  value: object,
): Promise<boolean> {
  await using file = await openPlain(folder, name, constants.O_RDWR);
  const text = file && (await textIn(file, maxRewritten));
  if (!file || text === null || !isOurs(text)) return false;
  await write(file, value);
  // It may have been moved away while it was open.
  const writtenText = (await readHeld(folder, name, maxRewritten))?.text;
  return writtenText != null && isOurs(writtenText);
}

/** Removes a file unless its content has changed. Returns false if it has, or if the file is gone. */
export async function takeHeldAway(folder: HeldFolder, name: string, generation: string): Promise<boolean> {
  const aside = `${name}.${randomUUID()}.old`;
  try {
    await rename(folder.entryPath(name), folder.entryPath(aside));
  } catch (error) {
    // Its owner deleted it, or has it open on a system that then refuses to move it.
    if (hasCode(error, 'ENOENT', 'EBUSY', 'EPERM')) return false;
    throw error;
  }
  const moved = await readHeld(folder, aside, maxRewritten);
  await unlink(folder.entryPath(aside)).catch(() => {});
  return moved?.generation === generation;
}

/** Deletes a file if it exists. */
export async function removeHeld(folder: HeldFolder, name: string): Promise<void> {
  await unlink(folder.entryPath(name)).catch((error) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

/** Bytes of a file that is overwritten in place. */
export const maxRewritten = 64 * 1024;

async function textOf(folder: HeldFolder, name: string, maxBytes: number): Promise<string | null> {
  await using file = await openPlain(folder, name, constants.O_RDONLY);
  return file && (await textIn(file, maxBytes));
}

async function textIn(file: FileHandle, maxBytes: number): Promise<string | null> {
  const { size } = await file.stat();
  if (size > maxBytes) return null;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

async function openPlain(folder: HeldFolder, name: string, flags: number): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    file = await open(folder.entryPath(name), flags | carefully);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'EISDIR', 'ENXIO', 'EACCES', 'EPERM')) return null;
    throw error;
  }
  const stats = await file.stat();
  if (stats.isFile() && stats.nlink <= 1) return file;
  await file.close();
  return null;
}

/** Files are padded to a multiple of this and never shrink, so an overwritten one is never truncated. */
const paddingBytes = 512;

async function write(file: FileHandle, value: object): Promise<void> {
  const { size } = await file.stat();
  const text = Buffer.from(JSON.stringify(value));
  const length = Math.max(size, Math.ceil((text.length + 1) / paddingBytes) * paddingBytes);
  await file.write(Buffer.concat([text, Buffer.alloc(length - text.length, ' ')]), 0, length, 0);
  await file.sync();
}
