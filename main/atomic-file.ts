import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './errno.ts';

interface AtomicFileOptions {
  /** Default: the system's permissions. */
  readonly mode?: number;
  /** Must be in the same folder. Default: a name that scans ignore. */
  readonly temporaryPath?: string;
  /** Throwing keeps the old file. */
  readonly check?: () => Promise<void>;
}

/**
 * Atomic, even if the power fails. Replaces a link. Throws file system errors without leaving a temporary
 * file.
 */
export async function writeFileAtomic(
  path: string,
  text: string | Uint8Array,
  options: AtomicFileOptions = {},
): Promise<void> {
  const { mode, temporaryPath: temporary = `${path}.${randomUUID()}.tmp`, check } = options;
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

/** Creates the folder. If the file can't be replaced, the temporary one stays until the next write. */
export function writeFileAtomicSync(path: string, text: string, temporary: string, mode?: number): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // An existing file would keep its permissions.
  rmSync(temporary, { force: true });
  withFile(openSync(temporary, 'wx', mode), (file) => {
    writeFileSync(file, text);
    fsyncSync(file);
  });
  replaceFile(temporary, path);
  // Makes the renaming durable; Windows neither needs nor allows this.
  if (process.platform !== 'win32') withFile(openSync(folder, 'r'), fsyncSync);
}

/** Another program, such as a virus scanner, has the file open. */
const transientErrors = new Set(['EPERM', 'EACCES', 'EBUSY']);
const maxTries = 10;
const retryDelayMs = 20;

function replaceFile(temporary: string, path: string): void {
  for (let attempts = 1; ; attempts += 1) {
    try {
      renameSync(temporary, path);
      return;
    } catch (cause) {
      if (attempts === maxTries || !transientErrors.has(codeOf(cause) ?? '')) throw cause;
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
