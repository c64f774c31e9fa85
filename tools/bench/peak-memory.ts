import { readFileSync } from 'node:fs';

/**
 * Largest resident size of this process, bytes. Linux reports it in VmHWM (proc_pid_status(5)); `getrusage`
 * would include the parent's size, which survives `exec`.
 */
export function peakBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error('/proc/self/status has no VmHWM');
  return Number(kilobytes) * 1024;
}
