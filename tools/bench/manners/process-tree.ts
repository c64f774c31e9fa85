import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** 20 Mbit/s, a common upload rate of offices; bytes/s. */
export const officeRate = 2_500_000;

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

/** A process and its descendants (proc(5): `stat`). Linux only. */
function treeOf(pid: number): { readonly pid: number; readonly ticks: number }[] {
  const allProcesses = readdirSync('/proc').flatMap((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'utf8') : '';
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
      return stat ? [{ pid: Number(name), parent, ticks: (user ?? 0) + (system ?? 0) }] : [];
    } catch {
      return [];
    }
  });
  const tree = allProcesses.filter((candidate) => candidate.pid === pid);
  for (const ancestor of tree) tree.push(...allProcesses.filter(({ parent }) => parent === ancestor.pid));
  return tree;
}

/** Share of one core that the process tree uses during the given seconds, %. */
export async function corePercentOf(pid: number, seconds: number): Promise<number> {
  const ticksBefore = new Map(treeOf(pid).map((child) => [child.pid, child.ticks]));
  const startedAt = performance.now();
  await pause(seconds * 1_000);
  const takenTicks = treeOf(pid).reduce(
    (sum, child) => sum + child.ticks - (ticksBefore.get(child.pid) ?? 0),
    0,
  );
  return (takenTicks / ticksPerSecond / ((performance.now() - startedAt) / 1_000)) * 100;
}

/** Memory of the process tree, bytes; shared pages count proportionally (proc_pid_smaps(5): Pss). */
export function memoryOf(pid: number): number {
  return treeOf(pid).reduce((sum, child) => {
    const [, kilobytes] =
      /^Pss:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8')) ?? [];
    return sum + Number(kilobytes ?? 0) * 1_024;
  }, 0);
}
