import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTimes } from './proc.ts';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface MeasuredRun {
  readonly wallSeconds: number;
  /** User and system time with threads and children, or null (only Linux reports it). */
  readonly cpuSeconds: number | null;
  readonly output: string;
}

const maxOutput = 4_000;
const maxSeconds = 1_800;

/**
 * Runs a command. Commands must not overlap, because processor time includes all ended children.
 *
 * @throws with the end of its output if it fails or takes over half an hour
 */
export async function measure(command: Command, discardOutput = false): Promise<MeasuredRun> {
  const cpuBefore = childrenCpu();
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
    const childClosed = once(child, 'close');
    const [code, signal]: unknown[] = await once(child, 'exit');
    const wallSeconds = (performance.now() - startedAt) / 1000;
    const cpuAfter = childrenCpu();
    await childClosed;
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

/** Waits for the remains of the last run: closing connections, freed memory. */
export function settleDown(): Promise<void> {
  return sleep(200);
}

const childrenCpu = () => (process.platform === 'linux' ? readTimes('self').childrenSeconds : null);

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-5).join('\n');
}
