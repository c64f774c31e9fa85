import { residentBytes } from './proc.ts';

/**
 * Largest resident size of this process, bytes. Linux reports it in VmHWM (proc_pid_status(5)); `getrusage`
 * would include the parent's size, which survives `exec`.
 */
export function peakBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return residentBytes('self', 'VmHWM');
}
