import { existsSync, readFileSync, renameSync } from 'node:fs';
import { z } from 'zod';
import { hasCode } from '../../errno.ts';
import { type Log, silentLog } from '../../log.ts';
import { parseJson } from '../../service/answer.ts';
import { writeWholeSync } from '../../whole-file.ts';
import type { Cipher, Vault } from './vault.ts';

interface VaultOptions {
  /** A JSON file of sealed values. Its folder is made when missing. */
  readonly file: string;
  readonly cipher: Cipher;
  readonly log?: Log;
}

/**
 * A vault over the system's keychain. Without one it lives in memory and never touches the file, which may
 * hold what a keychain that comes back can still open. Entries that can't be decrypted read as if they had
 * never been kept.
 */
export function createVault({ file, cipher, log = silentLog }: VaultOptions): Vault {
  const persistent = cipher.available();
  const plain = new Map<string, string>();
  const sealed = persistent ? readVaultFile(file, log) : new Map<string, Buffer>();

  function save(): void {
    if (persistent) writeVaultFile(file, sealed);
  }

  function open(key: string): string | undefined {
    const value = sealed.get(key);
    if (value === undefined) return undefined;
    try {
      const text = cipher.decrypt(value);
      plain.set(key, text);
      return text;
    } catch (cause) {
      log.warn({ entry: key, cause }, 'A kept secret can’t be decrypted any more.');
      return undefined;
    }
  }

  return {
    persistent,
    keys: () => [...new Set([...sealed.keys(), ...plain.keys()])],
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

/** Names stand open, values are base64 of what the keychain sealed. */
const fileSchema = z.object({ version: z.literal(1), entries: z.record(z.string(), z.base64()) });

/**
 * What the vault's file holds; nothing when it is missing or damaged. A crash may have left a newer one that
 * had not taken the file's place yet: when that is whole it counts, since it may hold the only refresh token
 * that the service still takes.
 */
function readVaultFile(file: string, log: Log): Map<string, Buffer> {
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

/** Whole or not at all, and readable by its owner alone. */
function writeVaultFile(file: string, sealed: ReadonlyMap<string, Buffer>): void {
  const entries = Object.fromEntries([...sealed].map(([key, value]) => [key, value.toString('base64')]));
  writeWholeSync(file, JSON.stringify({ version: 1, entries }), temporaryOf(file), 0o600);
}

/** Whether anything has ever been kept in it. */
export function isVaultThere(file: string): boolean {
  return existsSync(file) || existsSync(temporaryOf(file));
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
