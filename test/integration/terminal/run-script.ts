import { spawn } from 'node:child_process';

export interface ScriptResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a script with only these environment variables. `stopped` ends it with its first error output. */
export function runScript(
  script: string,
  args: readonly string[],
  { env, stopped: isStopped = false }: { readonly env: NodeJS.ProcessEnv; readonly stopped?: boolean },
): Promise<ScriptResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      if (isStopped && errors === '') child.kill('SIGTERM');
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output, errors }));
  });
}
