import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Delay before collecting garbage, ms: its producer has ended by then. */
const delayMs = 1_000;

type Collect = (how: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;
let collect: Collect | undefined;
let timer: NodeJS.Timeout | undefined;

/**
 * Returns this thread's unused memory to the system, a moment later. V8 keeps free pages and doesn't collect
 * while idle: inspecting 100,000 files left about 400 MB resident. Blocks the thread for about 50 ms in that
 * case.
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
 * Keeps V8's young generation of this thread small. V8 doubles it up to 128 MB when much survives and never
 * shrinks it: a million rows, read page by page, left it full of garbage. Costs CPU time if much survives.
 *
 * The setting applies to all threads and would freeze the usual start of one megabyte, so threads start with
 * two, or with their own limits.
 */
export function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--min-semi-space-size=2');
}

/** V8's collector, which is only accessible with a flag. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collector: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collector;
}
