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
  const originals = seeds.map((one) => Buffer.from(one));
  let [thrown, late, large, mostMs, mostMib] = [0, 0, 0, 0, 0];
  for (let index = 0; index < count; index++) {
    const input = mutate(random.one(originals), random, words, originals);
    let cost = await timed(run, input);
    // Repeats a slow case twice, because other programs and garbage collection may have slowed it.
    for (let again = 0; again < 2 && (cost.ms > maxMs || cost.mib > maxMib); again++) {
      const other = await timed(run, input);
      cost = { ...other, ms: Math.min(cost.ms, other.ms), mib: Math.min(cost.mib, other.mib) };
    }
    if (cost.isThrown) thrown += 1;
    if (cost.ms > maxMs) late += 1;
    if (cost.mib > maxMib) large += 1;
    mostMs = Math.max(mostMs, cost.ms);
    mostMib = Math.max(mostMib, cost.mib);
  }
  return { thrown, late, large, mostMs: Math.round(mostMs), mostMib: Math.round(mostMib * 10) / 10 };
}

async function timed(run: Target['run'], input: Buffer) {
  // Of this thread only: tests run in other threads of the process.
  const [cpu, memory] = [process.threadCpuUsage(), process.memoryUsage()];
  let isThrown = false;
  try {
    await run(input);
  } catch {
    isThrown = true;
  }
  const [used, now] = [process.threadCpuUsage(cpu), process.memoryUsage()];
  const bytes = now.heapUsed - memory.heapUsed + (now.arrayBuffers - memory.arrayBuffers);
  return { isThrown, ms: (used.user + used.system) / 1_000, mib: Math.max(0, bytes) / mebibyte };
}

/**
 * Feeds mutations of whole files to each reader (or the named ones) and prints a line for each. Returns false
 * if one failed.
 */
export async function mutations(count: number, only: readonly string[]): Promise<boolean> {
  let isFine = true;
  const chosen = [...headTargets, ...endTargets].filter(
    ({ name }) => only.length === 0 || only.includes(name),
  );
  for (const target of chosen) {
    const cost = await costOf(target, count);
    isFine &&= cost.thrown + cost.late + cost.large === 0;
    process.stdout.write(`${target.name}: ${JSON.stringify(cost)}\n`);
  }
  return isFine;
}
