import { readFileSync } from 'node:fs';

/**
 * Largest resident size that this process has had, all threads included, bytes. Linux tells it of the
 * process's own memory (proc_pid_status(5): VmHWM); what `getrusage` tells there is at least the size of
 * whoever started it, since that is kept over `exec`.
 */
export function peakBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error('/proc/self/status has no VmHWM');
  return Number(kilobytes) * 1024;
}
