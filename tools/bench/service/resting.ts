import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { readTimes, residentBytes } from '../proc.ts';
import { mebibyte } from '../work.ts';

/** Resource use of an idle process. */
export interface RestingFigures {
  readonly residentMb: number;
  readonly peakMb: number;
  readonly cpuPercent: number;
}

/** The process is idle if it uses less than this share of a second for several seconds. */
const restingSeconds = 0.05;
const quietFor = 5;
/** The start's threads end ten seconds after their work, ms. */
const settleMs = 15_000;
const maxWaitMs = 600_000;

/**
 * Waits until a process has printed `"watching"` and is idle, measures it, and ends it. Linux only.
 *
 * @throws if it exits or isn't idle within ten minutes
 */
export async function restOf(child: ChildProcess, seconds: number): Promise<RestingFigures> {
  const childClosed = once(child, 'close');
  const pid = child.pid ?? 0;
  let printedText = '';
  child.stdout?.on('data', (piece: Buffer) => {
    printedText = (printedText + piece.toString()).slice(-4_000);
  });
  const deadline = performance.now() + maxWaitMs;
  const wait = async (ms: number) => {
    await pause(ms);
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}: ${printedText}`);
    if (performance.now() > deadline) throw new Error('the process does not come to rest');
  };
  try {
    while (!printedText.includes('"watching"')) await wait(100);
    for (let quietSeconds = 0; quietSeconds < quietFor; ) {
      const secondsBefore = readTimes(pid).ownSeconds;
      await wait(1_000);
      quietSeconds = readTimes(pid).ownSeconds - secondsBefore < restingSeconds ? quietSeconds + 1 : 0;
    }
    await wait(settleMs);
    const before = readTimes(pid).ownSeconds;
    await wait(seconds * 1_000);
    const cpuPercent = ((readTimes(pid).ownSeconds - before) / seconds) * 100;
    const megabytes = (name: 'VmRSS' | 'VmHWM') => Math.round(residentBytes(pid, name) / mebibyte);
    return { residentMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM'), cpuPercent };
  } finally {
    child.kill('SIGTERM');
    await childClosed;
  }
}
