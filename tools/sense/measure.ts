import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { SourceFiles } from '../../main/files/model.ts';
import { scanSource } from '../../main/files/walk/scan.ts';
import { checkChanges } from '../../main/inspect/changes/apply-changes.ts';
import { loadSystems } from '../../main/inspect/crs/systems.ts';
import { guessMs, lookInside } from '../../main/inspect/headers/look-inside.ts';
import { createLookThread } from '../../main/inspect/headers/look-thread.ts';
import { inspectSource } from '../../main/inspect/inspect-source.ts';
import { FirstWords } from '../../main/inspect/survey/first-words.ts';
import type { SurveyNews } from '../../main/inspect/survey/survey.ts';
import { createSurveyThread } from '../../main/inspect/survey/survey-thread.ts';
import { systemClock } from '../../main/outside.ts';
import { lasFile, projectedKeys, tiffFile } from '../../test/unit/inspect/formats/sample-heads.ts';
import { memoryTaken } from './memory-taken.ts';
import { clearUp, clearUpHere, heapOf } from './thread-heap.ts';

const mebibyte = 1024 * 1024;
const perFolder = 1_000;
const slowWorker = new URL('./slow-worker.ts', import.meta.url);

/**
 * Looks into so many small TIFF and LAS files as the New asset sheet does, and prints how long that takes and
 * what it costs.
 *
 * @param worker the file that threads run. Default: the source, for plain Node
 */
export async function measure(count: number, worker?: URL): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-sense-'));
  // Threads that wait keep no process alive.
  const alive = setInterval(() => {}, 1_000);
  try {
    await makeTiles(folder, count);
    const scan = await scanSource([folder]);
    const { files } = scan;
    const print = (what: string, figures: object) =>
      process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
    for (let drop = 0; drop < 3; drop++) print('dropped', await dropped(folder, worker));
    const sorted = { scan: async () => scan, lookInside: async () => new Map() };
    const taken = await memoryTaken(() => inspectSource([folder], sorted));
    print('sorted by kind of data', { kibibytesTakenPerFile: round(taken / 1024 / count) });
    const thread = createSurveyThread(worker);
    print('all files', await surveyed(thread, files));
    print('a second time', await surveyed(thread, files));
    print('a system assigned to all', await assigned(files));
    print('stopped after 300 ms', await stopped(createSurveyThread(worker), files));
    thread.close();
    const slow = createSurveyThread(slowWorker);
    print('5 ms for each call', await surveyed(slow, files));
    slow.close();
  } finally {
    clearInterval(alive);
    await rm(folder, { recursive: true });
  }
}

/** Those that run. */
const threads = new Set<Worker>();
process.on('worker', (worker) => {
  threads.add(worker);
  worker.on('exit', () => threads.delete(worker));
});

type Thread = ReturnType<typeof createSurveyThread>;

/**
 * What a drop waits for: the first words, the answer with the first few files, the first news of all files.
 * Threads are new each time.
 */
async function dropped(folder: string, worker: URL | undefined): Promise<object> {
  const [looks, surveys] = [createLookThread(worker), createSurveyThread(worker)];
  const turns = watchTurns();
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  let first: object | null = null;
  const words = new FirstWords({
    now: () => performance.now(),
    survey: surveys.survey,
    tell: ({ fileCount, seen }) => {
      if (seen) first ??= { ms: since(), fileCount, looked: seen.looked, systems: seen.systems.length };
    },
  });
  let walkedMs = 0;
  const source = await inspectSource([folder], {
    scan: async (paths) => {
      const scan = await scanSource(paths, {
        ...(worker && { worker }),
        onFiles: (files) => words.take(files),
      });
      walkedMs = since();
      return scan;
    },
    lookInside: (sources) => lookInside(sources, systemClock, looks, guessMs),
  });
  words.end();
  const answeredMs = since();
  const mainTurns = turns.end();
  const stop = new AbortController();
  let newsMs = 0;
  await surveys.survey(source.files, stop.signal, ({ seen }) => {
    if (seen.looked === 0) return;
    newsMs ||= since();
    stop.abort();
  });
  looks.close();
  surveys.close();
  return { first, walkedMs, answeredMs, newsMs, mainTurns };
}

async function assigned(files: SourceFiles): Promise<object> {
  const { systemOf } = await loadSystems();
  const all = Array.from(files, ({ path }) => path);
  const turns = watchTurns();
  await checkChanges(files, { leftOut: [], assigned: [{ epsg: 25832, files: all }] }, systemOf);
  return { mainTurns: turns.end() };
}

/** Turns of this thread: the longest by the processor, and how many took over 16 ms of it. */
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

async function surveyed(thread: Thread, files: SourceFiles): Promise<object> {
  await thread.survey([], new AbortController().signal, () => {});
  const [worker] = [...threads].slice(-1);
  if (!worker) throw new Error('no thread runs');
  await clearUp(worker);
  const threadBefore = await heapOf(worker);
  let threadMost = 0;
  clearUpHere();
  const before = process.memoryUsage();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const turns = watchTurns();
  const began = performance.now();
  let firstMs: number | null = null;
  let told = 0;
  let heap = 0;
  let rss = 0;
  let last: SurveyNews | null = null;
  await thread.survey(files, new AbortController().signal, (news) => {
    told++;
    if (news.seen.looked > 0) firstMs ??= Math.round(performance.now() - began);
    const now = process.memoryUsage();
    heap = Math.max(heap, now.heapUsed - before.heapUsed);
    rss = Math.max(rss, now.rss - before.rss);
    last = news;
    void heapOf(worker).then((used) => {
      threadMost = Math.max(threadMost, used - threadBefore);
    });
  });
  const took = performance.now() - began;
  delay.disable();
  const mainTurns = turns.end();
  await clearUp(worker);
  const kept = (await heapOf(worker)) - threadBefore;
  clearUpHere();
  const mainKept = process.memoryUsage().heapUsed - before.heapUsed;
  const { state, looked, total, placed } = (last as SurveyNews | null)?.seen ?? {};
  return {
    ...{ state, looked, total, placed, told, firstMs },
    seconds: seconds(took),
    mainTurns,
    mainLoopMs: { p99: delay.percentile(99) / 1e6, most: delay.max / 1e6 },
    mainHeapMiB: { most: Math.round(heap / mebibyte), kept: Math.round(mainKept / mebibyte) },
    threadHeapMiB: { most: Math.round(threadMost / mebibyte), kept: Math.round(kept / mebibyte) },
    rssMiB: Math.round(rss / mebibyte),
  };
}

async function stopped(thread: Thread, files: SourceFiles): Promise<object> {
  const stop = new AbortController();
  let stoppedAt = 0;
  let late = 0;
  const ended = thread.survey(files, stop.signal, () => {
    if (stop.signal.aborted) late++;
  });
  await setTimeout(300);
  stoppedAt = performance.now();
  stop.abort();
  await ended;
  const endedMs = performance.now() - stoppedAt;
  await thread.survey([], new AbortController().signal, () => {});
  const freeMs = performance.now() - stoppedAt;
  thread.close();
  return { endedMs, threadFreeMs: freeMs, late };
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

/** South-western corner of a tile of a kilometre. */
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
