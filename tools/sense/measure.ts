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
  const print = (label: string, figures: object) =>
    process.stdout.write(`${label}: ${JSON.stringify(figures)}\n`);
  try {
    await makeTiles(folder, count);
    const inspector = createInspector(worker);
    for (let dropCount = 0; dropCount < 3; dropCount++)
      print('dropped', await measureDrop(inspector, folder));
    await inspector.decide([folder]);
    print('all files', await surveyed(inspector));
    print('a second time', await surveyed(inspector));
    print('stopped after 300 ms', await measureStop(inspector));
    print('all paths', await measured(() => inspector.pathsOf({ asset: 'all', files: count })));
    inspector.close();
    const slowInspector = createInspector(slowWorker);
    await slowInspector.decide([folder]);
    print('5 ms for each call', await surveyed(slowInspector));
    slowInspector.close();
    const scan = await scanSource([folder]);
    const sortedScan = { scan: async () => scan, inspectFirstFiles: async () => new Map() };
    const takenMemory = await memoryTaken(() => inspectSource([folder], sortedScan));
    print('sorted by kind of data', { kibibytesTakenPerFile: round(takenMemory / 1024 / count) });
  } finally {
    clearInterval(alive);
    await rm(folder, { recursive: true });
  }
}

const { signal: neverAborted } = new AbortController();

/** Measures the duration, the blocking of this thread, and the memory of the process. */
async function measured(work: () => Promise<unknown>): Promise<object> {
  clearUpHere();
  const memoryBefore = process.memoryUsage();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const turns = watchTurns();
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  delay.disable();
  const mainTurns = turns.end();
  const { rss } = process.memoryUsage();
  clearUpHere();
  const keptBytes = process.memoryUsage().heapUsed - memoryBefore.heapUsed;
  return {
    ...{ seconds: seconds(tookMs), mainTurns },
    mainLoopMs: { p99: round(delay.percentile(99) / 1e6), most: round(delay.max / 1e6) },
    ...{
      mainHeapKeptMiB: round(keptBytes / mebibyte),
      rssMiB: Math.round((rss - memoryBefore.rss) / mebibyte),
    },
  };
}

/** Measures the steps after a drop: first message, answer with the first files, updates of all files. */
async function measureDrop({ ask }: Inspector, folder: string): Promise<object> {
  const startedAt = performance.now();
  const msSinceStart = () => Math.round(performance.now() - startedAt);
  const ms: Record<string, number> = {};
  const stop = new AbortController();
  const figures = await measured(async () => {
    const { kept: keptPieces } = await ask(
      'show',
      { paths: [folder] },
      {
        notify: ({ seen: seenFacts }) => {
          if (seenFacts) ms.firstMs ??= msSinceStart();
        },
      },
    );
    ms.answeredMs = msSinceStart();
    await ask('scanHeaders', [{ group: 0, pieces: keptPieces }], {
      signal: stop.signal,
      notify: ({ seen: seenFacts }) => {
        if (seenFacts.looked === 0) return;
        ms.newsMs ??= msSinceStart();
        stop.abort();
      },
    }).catch(() => {});
  });
  return { ...ms, ...figures };
}

async function surveyed({ scanDecided: surveyDecided }: Inspector): Promise<object> {
  const startedAt = performance.now();
  let firstMs: number | null = null;
  let reports = 0;
  let lastResult: object = {};
  const figures = await measured(() =>
    surveyDecided(
      { asset: 'whole' },
      neverAborted,
      ({ state, looked: lookedCount, total, placed: placedCount }) => {
        reports++;
        if (lookedCount > 0) firstMs ??= Math.round(performance.now() - startedAt);
        lastResult = { state, looked: lookedCount, total, placed: placedCount };
      },
    ),
  );
  return { ...lastResult, reports, firstMs, ...figures };
}

async function measureStop({ scanDecided: surveyDecided }: Inspector): Promise<object> {
  const stop = new AbortController();
  let lateResults = 0;
  const scanEnded = surveyDecided({ asset: 'whole' }, stop.signal, () => {
    if (stop.signal.aborted) lateResults++;
  });
  await setTimeout(300);
  const stoppedAt = performance.now();
  stop.abort();
  await scanEnded;
  return { endedMs: performance.now() - stoppedAt, late: lateResults };
}

/** Measures turns of this thread: the longest in processor time, and the number over 16 ms. */
function watchTurns(): { readonly end: () => object } {
  let isOver = false;
  let cpuBefore = process.threadCpuUsage();
  let [mostMs, over16] = [0, 0];
  const countTurn = () => {
    const cpuUsed = process.threadCpuUsage();
    const ms = (cpuUsed.user + cpuUsed.system - cpuBefore.user - cpuBefore.system) / 1_000;
    mostMs = Math.max(mostMs, ms);
    if (ms > 16) over16++;
    cpuBefore = cpuUsed;
    if (!isOver) setImmediate(countTurn);
  };
  setImmediate(countTurn);
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
  for (let firstFile = 0; firstFile < count; firstFile += perFolder) {
    const ownFolder = join(folder, `block_${firstFile / perFolder}`);
    await mkdir(ownFolder);
    const tiles = Array.from(
      { length: Math.min(perFolder, count - firstFile) },
      (_, index) => firstFile + index,
    );
    await Promise.all(
      tiles.map((index) =>
        index % 2 === 0
          ? writeFile(join(ownFolder, `dgm_${index}.tif`), tiffTile(index))
          : writeFile(join(ownFolder, `als_${index}.las`), lasTile(index)),
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
