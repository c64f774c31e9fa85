import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './errno.ts';

interface WholeFileOptions {
  /** Default: the system's permissions. */
  readonly mode?: number;
  /** The temporary file, in the same folder. Default: a name that scans ignore. */
  readonly beside?: string;
  /** Called before replacing the old file; throwing cancels that. */
  readonly check?: () => Promise<void>;
}

/**
 * Writes a file atomically, even if the power fails, by replacing the old file with a flushed new one.
 * Replaces a link instead of following it. Throws file system errors after removing the temporary file.
 */
export async function writeWhole(path: string, text: string, options: WholeFileOptions = {}): Promise<void> {
  const { mode, beside: temporary = `${path}.${randomUUID()}.tmp`, check } = options;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await check?.();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Synchronous `writeWhole`; creates the folder if missing. If the new file can't replace the old one it stays
 * at the temporary path until the next write, as after a crash.
 */
export function writeWholeSync(path: string, text: string, temporary: string, mode?: number): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // An existing file would keep its permissions.
  rmSync(temporary, { force: true });
  withFile(openSync(temporary, 'wx', mode), (file) => {
    writeFileSync(file, text);
    fsyncSync(file);
  });
  replaceFile(temporary, path);
  // Makes the renaming itself durable; Windows neither needs nor allows this.
  if (process.platform !== 'win32') withFile(openSync(folder, 'r'), fsyncSync);
}

/** Windows' errors while another program, such as a virus scanner, has the file open. */
const transientErrors = new Set(['EPERM', 'EACCES', 'EBUSY']);
const maxTries = 10;
const retryDelayMs = 20;

function replaceFile(temporary: string, path: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      renameSync(temporary, path);
      return;
    } catch (cause) {
      if (tries === maxTries || !transientErrors.has(codeOf(cause) ?? '')) throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryDelayMs);
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
