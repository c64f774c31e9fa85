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
import { type Log, silentLog } from '../log.ts';
import { parseJson } from '../service/parse-json.ts';
import type { Cipher, Vault } from './vault.ts';

export interface VaultOptions {
  /** A JSON file of sealed values. Its folder is made when missing. */
  readonly file: string;
  readonly cipher: Cipher;
  readonly log?: Log;
}

/** Names stand open, values are base64 of what the keychain sealed. */
const fileSchema = z.object({ version: z.literal(1), entries: z.record(z.string(), z.base64()) });

/**
 * A vault over the system's keychain. Without one it lives in memory and never touches the file, which may hold what a
 * keychain that comes back can still open. Entries that can't be decrypted are dropped, as if they had never been kept.
 */
export function createVault({ file, cipher, log = silentLog }: VaultOptions): Vault {
  const persistent = cipher.available();
  const plain = new Map<string, string>();
  const sealed = persistent ? readSealed(file, log) : new Map<string, Buffer>();

  function save(): void {
    if (!persistent) return;
    const entries = Object.fromEntries([...sealed].map(([key, value]) => [key, value.toString('base64')]));
    writeWhole(file, JSON.stringify({ version: 1, entries }));
  }

  function open(key: string): string | undefined {
    const value = sealed.get(key);
    if (value === undefined) return undefined;
    try {
      const text = cipher.decrypt(value);
      plain.set(key, text);
      return text;
    } catch (cause) {
      sealed.delete(key);
      log.warn({ entry: key, cause }, 'A kept secret can’t be decrypted any more and is dropped.');
      return undefined;
    }
  }

  return {
    persistent,
    get: (key) => plain.get(key) ?? open(key),
    set: (key, value) => {
      plain.set(key, value);
      if (persistent) sealed.set(key, cipher.encrypt(value));
      save();
    },
    delete: (key) => {
      const wasPlain = plain.delete(key);
      const wasSealed = sealed.delete(key);
      if (wasPlain || wasSealed) save();
    },
  };
}

function readSealed(file: string, log: Log): Map<string, Buffer> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    if (!missing) log.warn({ cause }, 'The vault can’t be read; starting with an empty one.');
    return new Map();
  }
  const parsed = fileSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    log.warn({ bytes: text.length }, 'The vault is damaged; starting with an empty one.');
    return new Map();
  }
  return new Map(
    Object.entries(parsed.data.entries).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
  );
}

/** Whole or not at all: a temporary file, flushed, takes the place of the old one. Readable by its owner alone. */
function writeWhole(file: string, text: string): void {
  const folder = dirname(file);
  const temporary = `${file}.new`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A left-over of a crash may have other permissions, which opening would keep.
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  if (process.platform !== 'win32') flushFolder(folder);
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
