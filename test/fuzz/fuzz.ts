import type { Fault } from './fuzz-thread.ts';
import { createTargetThread, type FoundFault } from './run-target.ts';
import { targets } from './targets/all.ts';

interface FuzzResult {
  readonly targets: number;
  readonly inputs: number;
  readonly crashes: number;
  readonly hangs: number;
  readonly escapes: number;
}

interface FuzzOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Default: all. */
  readonly only?: readonly string[];
  readonly onFault: (target: string, fault: FoundFault) => void;
  readonly onTarget?: (target: string, inputs: number, outcomes: number) => void;
}

const names: Readonly<Record<Fault, 'crashes' | 'hangs' | 'escapes'>> = {
  crash: 'crashes',
  hang: 'hangs',
  escape: 'escapes',
};
const maxTold = 5;

/** Runs the targets one after the other and gives each its share of the time. */
export async function fuzz({
  seconds,
  seed,
  only: onlyTargets = [],
  ...options
}: FuzzOptions): Promise<FuzzResult> {
  const chosenTargets = targets.filter(({ name }) => onlyTargets.length === 0 || onlyTargets.includes(name));
  const counts = { inputs: 0, crashes: 0, hangs: 0, escapes: 0 };
  const shares = chosenTargets.reduce((sum, { share: weight = 1 }) => sum + weight, 0);
  const thread = createTargetThread();
  for (const [index, { name, share: weight = 1 }] of chosenTargets.entries()) {
    const endsAt = performance.now() + (seconds * 1_000 * weight) / shares;
    let inputs = 0;
    let outcomes = 0;
    // A hang only ends the thread, so the target continues in a new one.
    for (let round = 0; round === 0 || performance.now() < endsAt - 500; round += 1) {
      const remainingMs = Math.max(0, endsAt - performance.now());
      const order = { target: name, seed: seed + index * 1_000 + round, lasts: remainingMs };
      const result = await thread.run(order);
      inputs += result.inputs;
      outcomes = Math.max(outcomes, result.outcomes);
      for (const fault of result.faults) counts[names[fault.fault]] += 1;
      for (const fault of result.faults.slice(0, maxTold)) options.onFault(name, fault);
    }
    counts.inputs += inputs;
    options.onTarget?.(name, inputs, outcomes);
  }
  thread.close();
  return { targets: chosenTargets.length, ...counts };
}
