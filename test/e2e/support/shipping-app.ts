import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { sandboxArguments, shippingExecutable } from './packaged-app.ts';

/** Runs the shipping build, whose main process and page are inaccessible. */
export async function startShippingApp(userData: string): Promise<{ close(): Promise<void> }> {
  const args = [...sandboxArguments, `--user-data-dir=${userData}`];
  const child = spawn(shippingExecutable(), args, { stdio: 'ignore' });
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'close');
  };
  try {
    // It locks its folder long before it creates its journal.
    await eventually(() => access(join(userData, 'journal.db')));
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Output and exit code of a start that ends; the code is null after a kill. */
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
