import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Nice of a thread that may wait until others have done theirs; 0 is a program's own, 19 the last of all. */
const behindOthers = 5;

/**
 * From now on the thread that calls this comes after what else runs on a busy computer; on an idle one it is
 * as fast as before. Linux only: elsewhere a priority is that of the whole process, with its window. Where
 * the system does not allow it, everything stays as it was.
 */
export function standBack(): void {
  if (process.platform !== 'linux') return;
  try {
    // proc(5): a link to `PID/task/TID` of whoever reads it. Node names no thread in the kernel's way.
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    if (getPriority(thread) < behindOthers) setPriority(thread, behindOthers);
  } catch {
    // It is a courtesy: an upload without it is an upload, and there is nothing that anybody could do.
  }
}
