import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

const lowPriority = 5;

/**
 * Linux only: elsewhere the priority belongs to the whole process with its window. Does nothing if not
 * permitted.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // proc(5): links to the reading thread's `PID/task/TID`. Node doesn't expose thread ids.
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    if (getPriority(thread) < lowPriority) setPriority(thread, lowPriority);
  } catch {
    // An upload works without it.
  }
}
