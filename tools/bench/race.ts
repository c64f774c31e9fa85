import type { Contender } from './contenders/contender.ts';
import { readIntoCache } from './fixtures.ts';
import { measure, settleDown } from './measure.ts';
import { meanShare, median, rotate } from './numbers.ts';
import type { Sink } from './sink/launch.ts';
import type { SinkReport } from './sink/messages.ts';
import { gibibyte, type Target, type Work } from './work.ts';

interface Run {
  readonly wallSeconds: number;
  /** Time from its first byte to the last answer. */
  readonly wireSeconds: number;
  readonly cpuSeconds: number | null;
  readonly sinkCpuSeconds: number;
}

/** Medians of one contender. */
export interface RaceStanding {
  readonly wallSeconds: number;
  readonly wireSeconds: number;
  readonly clientCpuSecondsPerGiB: number | null;
  /** Processor share of the stand-in's thread while bytes flowed; near 1, it limits the race. */
  readonly sinkBusy: number;
  readonly runs: readonly Run[];
}

export interface RaceResult {
  readonly standings: ReadonlyMap<string, RaceStanding>;
  readonly failedReasons: Readonly<Record<string, string>>;
}

interface RaceOptions {
  readonly contenders: readonly Contender[];
  readonly sink: Sink;
  readonly runs: number;
  readonly say: (line: string) => void;
}

/**
 * Every contender sends the same work `runs` times, one at a time, in an order that rotates each round, after
 * an uncounted warm-up. A failing contender drops out with its reason.
 */
export async function race(work: Work, target: Target, options: RaceOptions): Promise<RaceResult> {
  const { contenders, sink, runs, say } = options;
  const failedReasons: Record<string, string> = {};
  for (const { name, missingFor } of contenders) {
    const reason = missingFor?.(target);
    if (reason) failedReasons[name] = reason;
  }
  const runsByName = new Map<string, Run[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= runs; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${runs}`);
    for (const contender of rotate(contenders, round)) {
      const { name } = contender;
      if (name in failedReasons) continue;
      try {
        const run = await runOnce(contender, work, target, sink);
        if (round > 0) runsByName.get(name)?.push(run);
      } catch (error) {
        if (contender.role === 'ours') throw error;
        failedReasons[name] = error instanceof Error ? error.message : String(error);
        say(`${name} is out: ${failedReasons[name]}`);
      }
    }
  }
  const standings = new Map<string, RaceStanding>();
  for (const [name, finishedRuns] of runsByName)
    if (finishedRuns.length === runs) standings.set(name, standingOf(finishedRuns, work));
  return { standings, failedReasons };
}

async function runOnce(contender: Contender, work: Work, target: Target, sink: Sink): Promise<Run> {
  await readIntoCache(work);
  await settleDown();
  await sink.reset();
  const measured = await measure(contender.command(work, target), true);
  const sinkReport = await sink.report();
  checkArrived(sinkReport, work);
  return {
    wallSeconds: measured.wallSeconds,
    wireSeconds: sinkReport.wireSeconds,
    cpuSeconds: measured.cpuSeconds,
    sinkCpuSeconds: sinkReport.cpuSeconds,
  };
}

/** Chunked signing adds bytes for some clients, so the totals aren't equal. */
function checkArrived({ objects, bytes }: SinkReport, work: Work): void {
  if (objects !== work.files || bytes < work.bytes) {
    throw new Error(`${objects} objects with ${bytes} bytes arrived, not ${work.files} with ${work.bytes}`);
  }
}

function standingOf(runs: readonly Run[], work: Work): RaceStanding {
  const cpu = runs.flatMap(({ cpuSeconds }) => (cpuSeconds === null ? [] : [cpuSeconds]));
  return {
    wallSeconds: median(runs.map((run) => run.wallSeconds)),
    wireSeconds: median(runs.map((run) => run.wireSeconds)),
    clientCpuSecondsPerGiB: cpu.length === 0 ? null : median(cpu) / (work.bytes / gibibyte),
    sinkBusy: meanShare(runs.map((run) => [run.sinkCpuSeconds, run.wireSeconds])),
    runs,
  };
}
