import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { scanSource } from '../../main/files/walk/scan.ts';
import { inspectSource } from '../../main/inspect/inspect-source.ts';
import { createInspector, type Inspector } from '../../main/inspect/session/inspector.ts';
import { lasFile, projectedKeys, tiffFile } from '../../test/unit/inspect/formats/sample-heads.ts';
import { memoryTaken } from './memory-taken.ts';

setFlagsFromString('--expose-gc');
const clearUpHere: () => void = runInNewContext('gc');
const mebibyte = 1024 * 1024;
const perFolder = 1_000;
const slowWorker = new URL('./slow-worker.ts', import.meta.url);

/**
 * Inspects generated TIFF and LAS files as the New asset sheet does, and prints time and cost.
 *
 * @param worker script of the threads. Default: the source, for plain Node
 */
export async function measure(count: number, worker?: URL): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-sense-'));
  // Waiting threads don't keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  const print = (what: string, figures: object) =>
    process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
  try {
    await makeTiles(folder, count);
    const inspector = createInspector(worker);
    for (let drop = 0; drop < 3; drop++) print('dropped', await dropped(inspector, folder));
    await inspector.decide([folder]);
    print('all files', await surveyed(inspector));
    print('a second time', await surveyed(inspector));
    print('stopped after 300 ms', await stopped(inspector));
    print('all paths', await measured(() => inspector.pathsOf({ asset: 'all', files: count })));
    inspector.close();
    const slow = createInspector(slowWorker);
    await slow.decide([folder]);
    print('5 ms for each call', await surveyed(slow));
    slow.close();
    const scan = await scanSource([folder]);
    const sorted = { scan: async () => scan, inspectFirstFiles: async () => new Map() };
    const taken = await memoryTaken(() => inspectSource([folder], sorted));
    print('sorted by kind of data', { kibibytesTakenPerFile: round(taken / 1024 / count) });
  } finally {
    clearInterval(alive);
    await rm(folder, { recursive: true });
  }
}

const { signal: never } = new AbortController();

/** Measures the duration, the blocking of this thread, and the memory of the process. */
async function measured(work: () => Promise<unknown>): Promise<object> {
  clearUpHere();
  const before = process.memoryUsage();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const turns = watchTurns();
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  delay.disable();
  const mainTurns = turns.end();
  const { rss } = process.memoryUsage();
  clearUpHere();
  const kept = process.memoryUsage().heapUsed - before.heapUsed;
  return {
    ...{ seconds: seconds(took), mainTurns },
    mainLoopMs: { p99: round(delay.percentile(99) / 1e6), most: round(delay.max / 1e6) },
    ...{ mainHeapKeptMiB: round(kept / mebibyte), rssMiB: Math.round((rss - before.rss) / mebibyte) },
  };
}

/** Measures the steps after a drop: first message, answer with the first files, updates of all files. */
async function dropped({ ask }: Inspector, folder: string): Promise<object> {
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  const ms: Record<string, number> = {};
  const stop = new AbortController();
  const figures = await measured(async () => {
    const { kept } = await ask(
      'show',
      { paths: [folder] },
      {
        notify: ({ seen }) => {
          if (seen) ms.firstMs ??= since();
        },
      },
    );
    ms.answeredMs = since();
    await ask('scanHeaders', [{ group: 0, pieces: kept }], {
      signal: stop.signal,
      notify: ({ seen }) => {
        if (seen.looked === 0) return;
        ms.newsMs ??= since();
        stop.abort();
      },
    }).catch(() => {});
  });
  return { ...ms, ...figures };
}

async function surveyed({ scanDecided: surveyDecided }: Inspector): Promise<object> {
  const began = performance.now();
  let firstMs: number | null = null;
  let reports = 0;
  let last: object = {};
  const figures = await measured(() =>
    surveyDecided({ asset: 'whole' }, never, ({ state, looked, total, placed }) => {
      reports++;
      if (looked > 0) firstMs ??= Math.round(performance.now() - began);
      last = { state, looked, total, placed };
    }),
  );
  return { ...last, reports, firstMs, ...figures };
}

async function stopped({ scanDecided: surveyDecided }: Inspector): Promise<object> {
  const stop = new AbortController();
  let late = 0;
  const ended = surveyDecided({ asset: 'whole' }, stop.signal, () => {
    if (stop.signal.aborted) late++;
  });
  await setTimeout(300);
  const stoppedAt = performance.now();
  stop.abort();
  await ended;
  return { endedMs: performance.now() - stoppedAt, late };
}

/** Measures turns of this thread: the longest in processor time, and the number over 16 ms. */
function watchTurns(): { readonly end: () => object } {
  let isOver = false;
  let before = process.threadCpuUsage();
  let [mostMs, over16] = [0, 0];
  const turn = () => {
    const used = process.threadCpuUsage();
    const ms = (used.user + used.system - before.user - before.system) / 1_000;
    mostMs = Math.max(mostMs, ms);
    if (ms > 16) over16++;
    before = used;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end: () => {
      isOver = true;
      return { mostMs, over16 };
    },
  };
}

const round = (number: number) => Math.round(number * 10) / 10;
const seconds = (ms: number) => round(ms / 1_000);

async function makeTiles(folder: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += perFolder) {
    const own = join(folder, `block_${at / perFolder}`);
    await mkdir(own);
    const tiles = Array.from({ length: Math.min(perFolder, count - at) }, (_, index) => at + index);
    await Promise.all(
      tiles.map((index) =>
        index % 2 === 0
          ? writeFile(join(own, `dgm_${index}.tif`), tiffTile(index))
          : writeFile(join(own, `als_${index}.las`), lasTile(index)),
      ),
    );
  }
}

/** South-western corner of a 1 km tile. */
const cornerOf = (index: number): readonly [x: number, y: number] => [
  300_000 + 1_000 * (index % 400),
  5_200_000 + 1_000 * Math.floor(index / 400),
];

function lasTile(index: number): Buffer {
  const [x, y] = cornerOf(index);
  return lasFile({ geoKeys: projectedKeys(25832), box: [x, y, x + 1_000, y + 1_000] });
}

function tiffTile(index: number): Buffer {
  const [x, y] = cornerOf(index);
  return tiffFile({
    geoKeys: projectedKeys(25832),
    ...{ size: [10, 10], scale: [100, 100, 0], tie: [0, 0, 0, x, y, 0] },
  });
}
