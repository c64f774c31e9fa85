import { oursReportSchema } from './clients/ours-report.ts';
import { clientCommand } from './contenders/node-clients.ts';
import { measure, settle } from './measure.ts';
import { median } from './numbers.ts';
import type { Sink } from './sink/launch.ts';
import type { Work } from './work.ts';

/** Delay of the main thread's event loop, ms, the watching timer of 1 ms included. Medians of the runs, but the worst `max`. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface LoopDelays {
  readonly large: LoopDelay;
  readonly small: LoopDelay;
}

/** While our engine sends the work over HTTPS, in the process that a window would live in. */
export async function measureLoopDelay(work: Work, runs: number, sink: Sink): Promise<LoopDelay> {
  const delays: LoopDelay[] = [];
  for (let run = 0; run < runs; run++) {
    await settle();
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
