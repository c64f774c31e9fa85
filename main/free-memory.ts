import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage that lies around is collected so long after it was made, ms: what made it has ended by then. */
const delayMs = 1_000;

type Collect = (how: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;
let collect: Collect | undefined;
let timer: NodeJS.Timeout | undefined;

/**
 * Gives the memory of what this thread has thrown away back to the system, a moment later. V8 itself keeps
 * the pages for the next need, which may be an hour away, and collects nothing while nothing is asked for: a
 * look through 100,000 files left some 400 MB resident. Takes some 50 ms there, in which the thread does
 * nothing else; less where less is in use.
 */
export function giveMemoryBack(): void {
  timer?.refresh();
  timer ??= setTimeout(() => {
    timer = undefined;
    collect ??= exposedCollector();
    collect({ type: 'major', flavor: 'last-resort' });
  }, delayMs).unref();
}

/**
 * From now on the part of this thread's memory in which new objects are made stays as large as it is. V8
 * doubles it whenever much of it survives, up to 128 MB in Node, and keeps it for good: a million rows that
 * pass page by page left it full of what was thrown away. Costs some processor time where much survives.
 *
 * V8 has one such setting for all threads. One that began with a megabyte as usual would have to make do with
 * it: threads begin with two, or with as much as their own limits allow.
 */
export function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--min-semi-space-size=2');
}

/** V8's own, which programs see only where it was asked for. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collector: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collector;
}
