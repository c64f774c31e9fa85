import { mutate } from '../../test/fuzz/mutate.ts';
import { Random } from '../../test/fuzz/random.ts';
import type { Target } from '../../test/fuzz/target.ts';
import { endTargets } from '../../test/fuzz/targets/ends.ts';
import { headTargets } from '../../test/fuzz/targets/heads.ts';

/** Limits for one broken file: processor ms and allocated MiB, including garbage. */
const [maxMs, maxMib] = [50, 6];
const mebibyte = 1024 * 1024;

interface Cost {
  readonly thrown: number;
  readonly late: number;
  readonly large: number;
  readonly mostMs: number;
  readonly mostMib: number;
}

/** Cost of the given number of mutations of a target's seeds; repeatable for the same count. */
export async function costOf({ seeds, words = [], run }: Target, count: number): Promise<Cost> {
  const random = new Random(count);
  const originals = seeds.map((seedText) => Buffer.from(seedText));
  let [thrownCount, lateCount, largeCount, mostMs, mostMib] = [0, 0, 0, 0, 0];
  for (let index = 0; index < count; index++) {
    const input = mutate(random.pickOne(originals), random, words, originals);
    let cost = await timeRun(run, input);
    // Repeats a slow case twice, because other programs and garbage collection may have slowed it.
    for (let repeats = 0; repeats < 2 && (cost.ms > maxMs || cost.mib > maxMib); repeats++) {
      const repeatedCost = await timeRun(run, input);
      cost = {
        ...repeatedCost,
        ms: Math.min(cost.ms, repeatedCost.ms),
        mib: Math.min(cost.mib, repeatedCost.mib),
      };
    }
    if (cost.isThrown) thrownCount += 1;
    if (cost.ms > maxMs) lateCount += 1;
    if (cost.mib > maxMib) largeCount += 1;
    mostMs = Math.max(mostMs, cost.ms);
    mostMib = Math.max(mostMib, cost.mib);
  }
  return {
    thrown: thrownCount,
    late: lateCount,
    large: largeCount,
    mostMs: Math.round(mostMs),
    mostMib: Math.round(mostMib * 10) / 10,
  };
}

async function timeRun(run: Target['run'], input: Buffer) {
  // Of this thread only: tests run in other threads of the process.
  const [cpu, memory] = [process.threadCpuUsage(), process.memoryUsage()];
  let isThrown = false;
  try {
    await run(input);
  } catch {
    isThrown = true;
  }
  const [cpuUsed, memoryNow] = [process.threadCpuUsage(cpu), process.memoryUsage()];
  const bytes = memoryNow.heapUsed - memory.heapUsed + (memoryNow.arrayBuffers - memory.arrayBuffers);
  return { isThrown, ms: (cpuUsed.user + cpuUsed.system) / 1_000, mib: Math.max(0, bytes) / mebibyte };
}

/**
 * Feeds mutations of whole files to each reader (or the named ones) and prints a line for each. Returns false
 * if one failed.
 */
export async function mutations(count: number, onlyTargets: readonly string[]): Promise<boolean> {
  let isFine = true;
  const chosenTargets = [...headTargets, ...endTargets].filter(
    ({ name }) => onlyTargets.length === 0 || onlyTargets.includes(name),
  );
  for (const target of chosenTargets) {
    const cost = await costOf(target, count);
    isFine &&= cost.thrown + cost.late + cost.large === 0;
    process.stdout.write(`${target.name}: ${JSON.stringify(cost)}\n`);
  }
  return isFine;
}
