import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../../errno.ts';
import type { Log } from '../../log.ts';
import { parseJson } from '../../service/parse-json.ts';

/** Names stand open, values are base64 of what the keychain sealed. */
const fileSchema = z.object({ version: z.literal(1), entries: z.record(z.string(), z.base64()) });

/**
 * What the vault's file holds; nothing when it is missing or damaged. A crash may have left a newer one that had not
 * taken the file's place yet: when that is whole it counts, since it may hold the only refresh token that the service still takes.
 */
export function readVaultFile(file: string, log: Log): Map<string, Buffer> {
  const leftOver = parseEntries(readText(temporaryOf(file), log));
  if (leftOver) {
    replaceFile(file, log);
    return leftOver;
  }
  const text = readText(file, log);
  const entries = parseEntries(text);
  if (entries) return entries;
  if (text !== null) log.warn({ bytes: text.length }, 'The vault is damaged; starting with an empty one.');
  return new Map();
}

/** Whole or not at all: a temporary file, flushed, takes the place of the old one. Readable by its owner alone. */
export function writeVaultFile(file: string, sealed: ReadonlyMap<string, Buffer>): void {
  const entries = Object.fromEntries([...sealed].map(([key, value]) => [key, value.toString('base64')]));
  const temporary = temporaryOf(file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A left-over of a crash may have other permissions, which opening would keep.
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(handle, JSON.stringify({ version: 1, entries }));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  if (process.platform !== 'win32') flushFolder(dirname(file));
}

function temporaryOf(file: string): string {
  return `${file}.new`;
}

/** Null when there is no such file, or none that can be read. */
function readText(file: string, log: Log): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT')) log.warn({ cause }, 'The vault can’t be read.');
    return null;
  }
}

/** Null for anything but a whole vault: JSON that was cut off is none. */
function parseEntries(text: string | null): Map<string, Buffer> | null {
  const parsed = fileSchema.safeParse(parseJson(text ?? ''));
  if (!parsed.success) return null;
  return new Map(
    Object.entries(parsed.data.entries).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
  );
}

/** Does what the crash kept from being done. */
function replaceFile(file: string, log: Log): void {
  try {
    renameSync(temporaryOf(file), file);
  } catch (cause) {
    log.warn({ cause }, 'What a crash left of the vault is used, but can’t take its place.');
  }
}

/** So that the renaming itself survives a power cut; Windows neither needs nor allows it. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
