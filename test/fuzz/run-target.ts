import { Worker } from 'node:worker_threads';
import type { Fault, FuzzMemory, FuzzOrder, FuzzReport } from './fuzz-thread.ts';
import { longestInput } from './mutate.ts';

/**
 * ms on one input before the thread is ended. Longer than the limit for hangs, because other programs use the
 * processor too.
 */
const defaultPatience = 10_000;
/** ms until the first input, while the thread loads its modules. */
const startPatience = 60_000;
const looksEvery = 250;

export interface FoundFault {
  readonly fault: Fault;
  readonly input: Uint8Array;
  readonly message: string;
}

interface TargetResult {
  readonly inputs: number;
  readonly outcomes: number;
  readonly faults: readonly FoundFault[];
}

/** A thread that runs targets one after the other. */
export interface TargetThread {
  /** A hang or a crash ends this run; the next one starts a new thread. */
  run(order: FuzzOrder): Promise<TargetResult>;
  close(): void;
}

interface RunningThread {
  readonly thread: Worker;
  /** Number of inputs and duration of the current one. */
  readonly numbers: Int32Array;
  readonly input: Uint8Array;
}

interface Listener {
  report(report: FuzzReport): void;
  endBy(fault: Fault, message: string): void;
}

export function createTargetThread(patience = defaultPatience): TargetThread {
  let running: RunningThread | null = null;
  let listener: Listener | null = null;
  const beginRun = (): RunningThread => {
    const startedRun = start();
    // A terminated thread may still report when its successor runs.
    const current = () => (running === startedRun ? listener : null);
    startedRun.thread.on('message', (report: FuzzReport) => current()?.report(report));
    startedRun.thread.on('error', (error) => current()?.endBy('crash', String(error.stack)));
    startedRun.thread.on('exit', (code) => current()?.endBy('crash', `the thread ended with code ${code}`));
    return startedRun;
  };
  const close = () => {
    listener = null;
    void running?.thread.terminate();
    running = null;
  };
  return {
    close,
    run: (order) =>
      new Promise((resolve) => {
        running ??= beginRun();
        const { thread, numbers, input } = running;
        const previousCount = Atomics.load(numbers, 0);
        const faults: FoundFault[] = [];
        let progress = { count: -1, at: performance.now() };
        const watchdog = setInterval(() => {
          const count = Atomics.load(numbers, 0);
          const now = performance.now();
          if (count !== progress.count) progress = { count, at: now };
          else if (now - progress.at > (count === previousCount ? startPatience : patience))
            listener?.endBy('hang', 'it did not end');
        }, looksEvery);
        const finish = (outcomes: number) => {
          clearInterval(watchdog);
          listener = null;
          resolve({ inputs: Atomics.load(numbers, 0) - previousCount, outcomes, faults });
        };
        listener = {
          report: (report) => {
            if (report.kind === 'fault') faults.push(report);
            else finish(report.outcomes);
          },
          endBy: (fault, message) => {
            faults.push({ fault, input: Uint8Array.from(input.subarray(0, numbers[1])), message });
            finish(0);
            close();
          },
        };
        thread.postMessage(order);
      }),
  };
}

function start(): RunningThread {
  const workerData: FuzzMemory = {
    state: new SharedArrayBuffer(8),
    input: new SharedArrayBuffer(longestInput),
  };
  const thread = new Worker(new URL('./fuzz-thread.ts', import.meta.url), {
    workerData,
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  return { thread, numbers: new Int32Array(workerData.state), input: new Uint8Array(workerData.input) };
}
