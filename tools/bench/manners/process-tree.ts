import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readTimes } from '../proc.ts';

/** 20 Mbit/s, a common upload rate of offices; bytes/s. */
export const officeRate = 2_500_000;

/** A process and its descendants. Linux only. */
function treeOf(pid: number): { readonly pid: number; readonly ownSeconds: number }[] {
  const allProcesses = readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [{ pid: Number(name), ...readTimes(Number(name)) }] : [];
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
  const secondsBefore = new Map(treeOf(pid).map((child) => [child.pid, child.ownSeconds]));
  const startedAt = performance.now();
  await pause(seconds * 1_000);
  const takenSeconds = treeOf(pid).reduce(
    (sum, child) => sum + child.ownSeconds - (secondsBefore.get(child.pid) ?? 0),
    0,
  );
  return (takenSeconds / ((performance.now() - startedAt) / 1_000)) * 100;
}

/** Memory of the process tree, bytes; shared pages count proportionally (proc_pid_smaps(5): Pss). */
export function memoryOf(pid: number): number {
  return treeOf(pid).reduce((sum, child) => {
    const [, kilobytes] =
      /^Pss:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8')) ?? [];
    return sum + Number(kilobytes ?? 0) * 1_024;
  }, 0);
}
