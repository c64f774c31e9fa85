import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { allowInBrowser } from '../service/person.ts';

interface ClientRun {
  /** Lines of standard output, without the authorization link. */
  readonly lines: readonly string[];
  readonly code: number;
  readonly errors: string;
}

/**
 * Runs a third-party program. Opens each printed authorization link, presses *Allow*, and writes the redirect
 * address to the program's standard input.
 */
export async function runClient(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ClientRun> {
  const child = spawn(command, args, { env: { ...withoutProxies(), ...env }, stdio: 'pipe' });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^http:\S+\/oauth\?/.test(line)) child.stdin.write(`${await allowInBrowser(line)}\n`);
    else lines.push(line);
  }
  return { lines, code: await exitCode, errors };
}

/** Path of a system program, before other versions; null if missing. */
export function systemProgram(name: string): string | null {
  return systemPrograms(name)[0] ?? null;
}

/** A Python with these modules, Debian's first; null if there is none. */
export function pythonWith(modules: readonly string[]): string | null {
  const imports = ['-c', `import ${modules.join(', ')}`];
  const hasModules = (python: string) => spawnSync(python, imports, { stdio: 'ignore' }).status === 0;
  return systemPrograms('python3').find(hasModules) ?? null;
}

function systemPrograms(name: string): readonly string[] {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path));
}

/** Proxies and stores configured on this machine must not affect a client. */
function withoutProxies(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/proxy|^AWS_|^RCLONE_/i.test(name)),
  );
}
