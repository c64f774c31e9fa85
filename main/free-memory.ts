import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Lets the producer end first, ms. */
const delayMs = 1_000;

type CollectGarbage = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;
let collect: CollectGarbage | undefined;
let timer: NodeJS.Timeout | undefined;

/**
 * V8 keeps free pages and doesn't collect while idle: 100,000 files left about 400 MB resident. Blocks the
 * thread for about 50 ms.
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
 * Keeps V8's young generation small: it doubles up to 128 MB and never shrinks, so a million rows left it
 * full of garbage. Costs CPU time if much survives.
 *
 * Applies to all threads, so they start with two megabytes or their own limits.
 */
export function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--min-semi-space-size=2');
}

/** Needs a flag. */
function exposedCollector(): CollectGarbage {
  setFlagsFromString('--expose-gc');
  const collector: CollectGarbage = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collector;
}
