import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { sandboxArguments, shippingExecutable } from './packaged-app.ts';

/** The build as it ships, at work: neither its main process nor its page can be reached. */
export async function startShippingApp(userData: string): Promise<{ close(): Promise<void> }> {
  const args = [...sandboxArguments, `--user-data-dir=${userData}`];
  const child = spawn(shippingExecutable(), args, { stdio: 'ignore' });
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'close');
  };
  try {
    // It holds the lock of its folder long before it has made its journal.
    await eventually(() => access(join(userData, 'journal.db')));
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a start says until its end, and the code that it ends with; null where it had to be ended. */
export function runToItsEnd(
  executable: string,
  userData: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly said: string; readonly code: number | null }> {
  const fixed = [...sandboxArguments, `--user-data-dir=${userData}`];
  return new Promise((resolve) => {
    const child = execFile(
      executable,
      [...fixed, ...args],
      { env: { ...process.env, ...env }, timeout: 30_000 },
      (_error, stdout, stderr) => resolve({ said: stdout + stderr, code: child.exitCode }),
    );
  });
}
