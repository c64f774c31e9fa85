import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Instead of this process's environment. */
  readonly env: Readonly<Record<string, string>>;
}

interface Measured {
  /** From start to end of the process. */
  readonly wallSeconds: number;
  /** User and system time of the process with threads and children; null where unknown (only Linux tells). */
  readonly cpuSeconds: number | null;
  readonly output: string;
}

const maxOutput = 4_000;
const maxSeconds = 1_800;
/** Linux counts processor time in hundredths of a second for programs, whatever its kernel does. */
const ticksPerSecond = 100;

/**
 * Runs one command to its end. Commands must not overlap, since processor time is that of all children which
 * ended meanwhile.
 *
 * @throws an error with the end of what the command said when it fails or takes over half an hour
 */
export async function measure(command: Command, discardOutput = false): Promise<Measured> {
  const cpuBefore = await childrenCpu();
  const startedAt = performance.now();
  const child = spawn(command.file, command.args, {
    env: command.env,
    stdio: ['ignore', discardOutput ? 'ignore' : 'pipe', 'pipe'],
  });
  let output = '';
  let complaints = '';
  child.stdout?.on('data', (piece: Buffer) => {
    output = (output + piece.toString()).slice(-maxOutput);
  });
  child.stderr?.on('data', (piece: Buffer) => {
    complaints = (complaints + piece.toString()).slice(-maxOutput);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), maxSeconds * 1000);
  try {
    const closed = once(child, 'close');
    const [code, signal]: unknown[] = await once(child, 'exit');
    const wallSeconds = (performance.now() - startedAt) / 1000;
    const cpuAfter = await childrenCpu();
    await closed;
    if (code !== 0) {
      throw new Error(
        `${command.file} ended with ${code ?? signal}: ${lastLines(complaints) || lastLines(output)}`,
      );
    }
    return {
      wallSeconds,
      cpuSeconds: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore,
      output,
    };
  } finally {
    clearTimeout(timer);
  }
}

/** Lets what the last run left behind settle: connections that close, memory that is given back. */
export function settle(): Promise<void> {
  return sleep(200);
}

/** Of all children that have ended and were waited for (proc(5): cutime, cstime), theirs included. */
async function childrenCpu(): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const stat = await readFile('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-5).join('\n');
}
