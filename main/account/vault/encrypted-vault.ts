import { existsSync, readFileSync, renameSync } from 'node:fs';
import { z } from 'zod';
import { writeFileAtomicSync } from '../../atomic-file.ts';
import { hasCode } from '../../errno.ts';
import { type Log, silentLog } from '../../log.ts';
import { parseJson } from '../../service/answer.ts';
import type { Cipher, Vault } from './vault.ts';

interface VaultOptions {
  /** A JSON file; its folder is created. */
  readonly file: string;
  readonly cipher: Cipher;
  readonly log?: Log;
}

/**
 * Based on the system's keychain. Without one, lives in memory and keeps the file for a returning keychain.
 * Undecryptable entries read as missing.
 */
export function createVault({ file, cipher, log = silentLog }: VaultOptions): Vault {
  const persistent = cipher.available();
  const plainValues = new Map<string, string>();
  const sealedValues = persistent ? readVaultFile(file, log) : new Map<string, Buffer>();

  function save(): void {
    if (persistent) writeVaultFile(file, sealedValues);
  }

  function decrypt(key: string): string | undefined {
    const value = sealedValues.get(key);
    if (value === undefined) return undefined;
    try {
      const text = cipher.decrypt(value);
      plainValues.set(key, text);
      return text;
    } catch (cause) {
      log.warn({ entry: key, cause }, 'A kept secret can’t be decrypted any more.');
      return undefined;
    }
  }

  return {
    persistent,
    keys: () => [...new Set([...sealedValues.keys(), ...plainValues.keys()])],
    get: (key) => plainValues.get(key) ?? decrypt(key),
    set: (key, value) => {
      plainValues.set(key, value);
      if (persistent) sealedValues.set(key, cipher.encrypt(value));
      save();
    },
    delete: (key) => {
      const wasPlain = plainValues.delete(key);
      const wasSealed = sealedValues.delete(key);
      if (wasPlain || wasSealed) save();
    },
  };
}

/** Encrypted values in base64. */
const fileSchema = z.object({ version: z.literal(1), entries: z.record(z.string(), z.base64()) });

/**
 * Empty if damaged. A complete temporary file from a crash is newer: it may hold the only valid refresh
 * token.
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

function writeVaultFile(file: string, sealedValues: ReadonlyMap<string, Buffer>): void {
  const entries = Object.fromEntries(
    [...sealedValues].map(([key, value]) => [key, value.toString('base64')]),
  );
  writeFileAtomicSync(file, JSON.stringify({ version: 1, entries }), temporaryOf(file), 0o600);
}

export function vaultExists(file: string): boolean {
  return existsSync(file) || existsSync(temporaryOf(file));
}

function temporaryOf(file: string): string {
  return `${file}.new`;
}

function readText(file: string, log: Log): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT')) log.warn({ cause }, 'The vault can’t be read.');
    return null;
  }
}

/** Null unless the JSON is complete. */
function parseEntries(text: string | null): Map<string, Buffer> | null {
  const parsed = fileSchema.safeParse(parseJson(text ?? ''));
  if (!parsed.success) return null;
  return new Map(
    Object.entries(parsed.data.entries).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
  );
}

function replaceFile(file: string, log: Log): void {
  try {
    renameSync(temporaryOf(file), file);
  } catch (cause) {
    log.warn({ cause }, 'What a crash left of the vault is used, but can’t take its place.');
  }
}
