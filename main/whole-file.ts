import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './errno.ts';

interface WholeFileOptions {
  /** Permissions of the new file. Default: the system's own. */
  readonly mode?: number;
  /** Where it is written first, in the same folder. Default: a name that every scan leaves out. */
  readonly beside?: string;
  /** Called before it takes the old one's place; what it throws leaves that as it was. */
  readonly check?: () => Promise<void>;
}

/**
 * Writes a file whole or not at all, also when the power fails: a new one, flushed, takes the place of the
 * old one. Nobody reads half of it, and a link at the path is replaced rather than followed. Throws what the
 * file system throws, with nothing left beside.
 */
export async function writeWhole(path: string, text: string, options: WholeFileOptions = {}): Promise<void> {
  const { mode, beside = `${path}.${randomUUID()}.tmp`, check } = options;
  try {
    const file = await open(beside, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await check?.();
    await rename(beside, path);
  } catch (thrown) {
    await rm(beside, { force: true }).catch(() => {});
    throw thrown;
  }
}

/**
 * `writeWhole` at once, its folder made where it is missing. A whole file that can't take the place of the
 * old one stays at `beside`, where the next write clears it away, as it does what a crash has left.
 */
export function writeWholeSync(path: string, text: string, beside: string, mode?: number): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Opening it would keep the permissions that it has.
  rmSync(beside, { force: true });
  withFile(openSync(beside, 'wx', mode), (file) => {
    writeFileSync(file, text);
    fsyncSync(file);
  });
  takePlace(beside, path);
  // So that the renaming itself survives a power cut; Windows neither needs nor allows it.
  if (process.platform !== 'win32') withFile(openSync(folder, 'r'), fsyncSync);
}

/** What Windows says while another program, such as a virus scanner, has the old file open for a moment. */
const passing = new Set(['EPERM', 'EACCES', 'EBUSY']);
const maxTries = 10;
const againMs = 20;

function takePlace(beside: string, path: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      renameSync(beside, path);
      return;
    } catch (cause) {
      if (tries === maxTries || !passing.has(codeOf(cause) ?? '')) throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, againMs);
    }
  }
}

function withFile(file: number, work: (file: number) => void): void {
  try {
    work(file);
  } finally {
    closeSync(file);
  }
}
