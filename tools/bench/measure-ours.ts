import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { oursReportSchema } from './clients/task.ts';
import { clientCommand } from './contenders/node-clients.ts';
import { makeSparse } from './fixtures.ts';
import { measure, settleDown } from './measure.ts';
import { median } from './numbers.ts';
import type { Sink } from './sink/launch.ts';
import { gibibyte, type Work } from './work.ts';

export interface MemoryFigure {
  readonly fileBytes: number;
  readonly peakBytes: number;
  readonly runs: readonly number[];
}

/** Larger files take minutes, so they run once. */
const largestRepeated = 8 * gibibyte;
const repeats = 3;

/** Peak memory of our engine while it sends one sparse file of each size over HTTPS. */
export async function measureMemory(
  sizes: readonly number[],
  folder: string,
  sink: Sink,
  say: (line: string) => void,
): Promise<MemoryFigure[]> {
  const figures: MemoryFigure[] = [];
  for (const fileBytes of sizes) {
    const path = join(folder, 'sparse');
    const work = await makeSparse(path, fileBytes);
    const runs: number[] = [];
    for (let run = 0; run < (fileBytes > largestRepeated ? 1 : repeats); run++) {
      say(`${fileBytes / gibibyte} GiB, run ${run + 1}`);
      await settleDown();
      await sink.reset();
      const { output } = await measure(clientCommand('ours', work, sink.target('https')));
      runs.push(oursReportSchema.parse(JSON.parse(output)).peakBytes);
    }
    await rm(path);
    figures.push({ fileBytes, peakBytes: median(runs), runs });
  }
  return figures;
}

/**
 * Delay of the main thread's event loop, ms, including the 1 ms timer. Medians of the runs; `max` is the
 * worst.
 */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface LoopDelays {
  readonly large: LoopDelay;
  readonly small: LoopDelay;
}

/** Measures while our engine sends over HTTPS, in the process that would host the window. */
export async function measureLoopDelay(work: Work, runs: number, sink: Sink): Promise<LoopDelay> {
  const delays: LoopDelay[] = [];
  for (let run = 0; run < runs; run++) {
    await settleDown();
    await sink.reset();
    const { output } = await measure(clientCommand('ours', work, sink.target('https'), { watchLoop: true }));
    const { loop } = oursReportSchema.parse(JSON.parse(output));
    if (loop) delays.push(loop);
  }
  return {
    p50: median(delays.map(({ p50 }) => p50)),
    p99: median(delays.map(({ p99 }) => p99)),
    max: Math.max(...delays.map(({ max }) => max)),
  };
}
