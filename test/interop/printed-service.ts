import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The embedded service as a program, and what it printed before it began to wait for requests. */
export interface RunningService {
  readonly printed: string;
  end(): void;
}

/** Starts it as `npm run service` does, without what installs packages. */
export async function runService(...options: readonly string[]): Promise<RunningService> {
  const program = join(import.meta.dirname, '..', 'service', 'run.ts');
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const piece of child.stdout.setEncoding('utf8')) {
    printed += piece;
    if (printed.endsWith('\n-----\n')) break;
  }
  return { printed, end: () => void child.kill('SIGKILL') };
}

/** What is printed below the heading that names it. */
export function block(printed: string, heading: string): string {
  const found = printed.split('\n-----').find((part) => part.split('\n')[0]?.includes(heading));
  if (found === undefined) throw new Error(`Nothing is printed below “${heading}”.`);
  return found.slice(found.indexOf('\n') + 1);
}
