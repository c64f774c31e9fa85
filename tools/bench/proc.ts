import { readFileSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second, whatever the kernel's tick rate. */
const ticksPerSecond = 100;

/** User and system time of a process, s. */
interface ProcessTimes {
  readonly parent: number;
  /** With its threads. */
  readonly ownSeconds: number;
  /** Of all ended children and their descendants. */
  readonly childrenSeconds: number;
}

/** Reads proc(5)'s `stat`. Linux only; throws if the process doesn't exist. */
export function readTimes(pid: number | 'self'): ProcessTimes {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const secondsIn = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / ticksPerSecond;
  return { parent: Number(fields[1]), ownSeconds: secondsIn(11), childrenSeconds: secondsIn(13) };
}

/** Resident size, bytes: the largest (VmHWM) or the current one (VmRSS). Linux only (proc(5), `status`). */
export function residentBytes(pid: number | 'self', name: 'VmHWM' | 'VmRSS'): number {
  const [, kibibytes] =
    new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${name}`);
  return Number(kibibytes) * 1024;
}
