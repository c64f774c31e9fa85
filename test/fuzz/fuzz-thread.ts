/** Thread in which targets run. Its owner counts the reports and ends it if an input hangs. */
import { parentPort, workerData } from 'node:worker_threads';
import { longestInput, mutate } from './mutate.ts';
import { Random } from './random.ts';
import { Escape, type Target } from './target.ts';
import { targets } from './targets/all.ts';
import { selfCheck } from './targets/self-check.ts';

/** Kind of a fault. */
export type Fault = 'crash' | 'hang' | 'escape';

export interface FuzzOrder {
  readonly target: string;
  readonly seed: number;
  /** ms. */
  readonly lasts: number;
  readonly only?: readonly Uint8Array[];
}

export type FuzzReport =
  | { readonly kind: 'fault'; readonly fault: Fault; readonly input: Uint8Array; readonly message: string }
  | { readonly kind: 'done'; readonly inputs: number; readonly outcomes: number };

/** Shared with the thread: number, duration and bytes of the current input. */
export interface FuzzMemory {
  readonly state: SharedArrayBuffer;
  readonly input: SharedArrayBuffer;
}

/** Limit for one input, processor ms; checked during hangs and at its end. */
const longestRunMs = 1_000;
const maxKept = 500;

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread');
const { state, input: sharedBuffer }: FuzzMemory = workerData;
const numbers = new Int32Array(state);
const place = new Uint8Array(sharedBuffer);

port.on('message', async (order: FuzzOrder) => {
  const target = [...targets, selfCheck].find(({ name }) => name === order.target);
  if (!target) throw new Error(`there is no target “${order.target}”`);
  port.postMessage(order.only ? await runAll(target, order.only) : await fuzz(target, order));
});

async function fuzz(target: Target, { seed, lasts }: FuzzOrder): Promise<FuzzReport> {
  const random = new Random(seed);
  const seeds = target.seeds.map((bytes) => Buffer.from(bytes));
  const corpus: Buffer[] = [...seeds];
  const outcomes = new Set<string>();
  let inputs = 0;
  const endsAt = performance.now() + lasts;
  for (const bytes of seeds) outcomes.add(await runOne(target, bytes));
  while (performance.now() < endsAt) {
    const input = mutate(random.pickOne(corpus), random, target.words ?? [], corpus);
    const outcome = await runOne(target, input);
    inputs += 1;
    if (outcomes.has(outcome)) continue;
    outcomes.add(outcome);
    if (corpus.length < maxKept) corpus.push(input);
  }
  return { kind: 'done', inputs: inputs + seeds.length, outcomes: outcomes.size };
}

async function runAll(target: Target, inputs: readonly Uint8Array[]): Promise<FuzzReport> {
  for (const input of inputs) await runOne(target, Buffer.from(input));
  return { kind: 'done', inputs: inputs.length, outcomes: 1 };
}

async function runOne(target: Target, input: Buffer): Promise<string> {
  place.set(input.subarray(0, longestInput));
  numbers[1] = Math.min(input.length, longestInput);
  Atomics.add(numbers, 0, 1);
  const startUsage = process.threadCpuUsage();
  let outcome: string;
  try {
    outcome = await target.run(input);
  } catch (error) {
    outcome = error instanceof Escape ? 'escape' : 'crash';
    tell(outcome === 'escape' ? 'escape' : 'crash', input, wordsOf(error));
  }
  const { user, system } = process.threadCpuUsage(startUsage);
  const ms = (user + system) / 1_000;
  if (ms > longestRunMs) tell('hang', input, `it took ${Math.round(ms)} ms`);
  return outcome;
}

const wordsOf = (error: unknown): string =>
  String(error instanceof Error ? error.stack : error).slice(0, 2_000);

function tell(fault: Fault, input: Buffer, message: string): void {
  port?.postMessage({ kind: 'fault', fault, input: Uint8Array.from(input), message } satisfies FuzzReport);
}
