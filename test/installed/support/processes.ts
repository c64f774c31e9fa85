import { readdir, readFile, stat } from 'node:fs/promises';
import { eventually } from '../../e2e/support/eventually.ts';

interface Process {
  readonly pid: number;
  readonly command: readonly string[];
}

/** Processes of a user. */
export async function processesOf(uid: number): Promise<readonly Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const matches = await Promise.all(
    pids.map(async (pid): Promise<readonly Process[]> => {
      // The process may end during the check.
      const owner = await stat(`/proc/${pid}`).catch(() => undefined);
      if (owner?.uid !== uid) return [];
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return [{ pid: Number(pid), command: command.split(/[\0 ]/).filter(Boolean) }];
    }),
  );
  return matches.flat();
}

/** Ends all processes of a user and waits for that. */
export async function endProcessesOf(uid: number): Promise<void> {
  await eventually(async () => {
    const remaining = await processesOf(uid);
    for (const { pid } of remaining) signal(pid, 'SIGKILL');
    if (remaining.length > 0)
      throw new Error(
        `Still running: ${remaining.map(({ pid, command }) => `${pid} ${command[0] ?? ''}`).join(', ')}`,
      );
  });
}

/** The process has already ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
