import type { AssetSeen, Density, PackedFootprints, Seen } from '../../../shared/source.ts';
import { packFootprints } from '../../../shared/source.ts';
import type { SourceFiles } from '../../files/model.ts';
import type { Findings } from '../findings/create-findings.ts';
import { planInspection } from '../headers/choose.ts';
import type { HeaderCache } from '../headers/header-cache.ts';
import { taskAt } from '../headers/header-task.ts';
import { lookOf } from '../headers/look-inside.ts';
import type { HeaderAnswer, HeaderTask } from '../headers/read-header.ts';
import { type ScannedAssets, ScanResults } from './scan-results.ts';

export interface HeaderScanProgress {
  readonly seen: Seen;
  /** Assets with new results; absent if there is only one asset. */
  readonly assets?: readonly AssetSeen[];
  /** New ones; meaningless with a density. */
  readonly footprints: PackedFootprints;
  /** Null while each file has its own footprint. */
  readonly density: Density | null;
}

type ReadHead = (task: HeaderTask) => Promise<HeaderAnswer | null>;

export interface HeaderScanParts {
  readonly cache: HeaderCache;
  /** For these files; the scan adds to them. */
  readonly findings: Findings;
  /** Default: one asset. */
  readonly assets?: ScannedAssets;
  readonly outline: ConstructorParameters<typeof ScanResults>[2];
  /** Reads in a thread, one file at a time. */
  readonly read: ReadHead;
  /** Further threads for a slow drive; each reads one file at a time. */
  readonly openReaders: () => { readonly readers: readonly ReadHead[]; readonly close: () => void };
  /** Monotonic ms. */
  readonly currentTime: () => number;
  /** Lets the event loop handle messages. */
  readonly pause: () => Promise<void>;
  /** Resolves after the time or when the signal aborts; never rejects. */
  readonly wait: (ms: number, stop: AbortSignal) => Promise<void>;
  readonly notify: (news: HeaderScanProgress) => void;
}

/** Longest duration of a scan, and longest time without a result, ms. */
export const [longestMs, silentMs] = [120_000, 30_000];
/** Time between pauses for messages, ms. */
const workMs = 10;
/** Delay of the first report and interval of the others, ms. */
const [firstReportMs, reportMs] = [100, 500];
/** Median read time of a slow drive, ms, and the number of files measured. */
const slowMs = 2;
const measuredFiles = 9;
/** Requests queued in the single thread on fast drives, to hide the round trip. */
const maxQueued = 16;

/** Inspects all files, in parallel on a slow drive. Ends when stopped or after two minutes. */
export async function scanHeaders(
  files: SourceFiles,
  parts: HeaderScanParts,
  stop: AbortSignal,
): Promise<void> {
  const { cache, currentTime, notify } = parts;
  const plan = planInspection(files, parts.assets?.lengths);
  const scanResults = new ScanResults(plan, parts.findings, parts.outline, parts.assets);
  const startedAt = currentTime();
  const finished = new AbortController();
  let closeReaders = () => {};
  let nextIndex = 0;
  let [pausedAt, lastAnswerAt] = [startedAt, startedAt];
  let lastReportAt = startedAt + firstReportMs - reportMs;
  const isLate = () => currentTime() - startedAt >= longestMs || currentTime() - lastAnswerAt >= silentMs;
  const isFinished = () => stop.aborted || nextIndex >= plan.order.length || isLate();
  const news = (state: Seen['state']): HeaderScanProgress => {
    const density = scanResults.density;
    const footprints = packFootprints(scanResults.takeFootprints());
    const assets = scanResults.takeAssets();
    return { seen: scanResults.results(state), ...(assets.length > 0 && { assets }), footprints, density };
  };
  /** Returns whether the file had to be read. */
  const readNext = async (read: ReadHead): Promise<boolean> => {
    const place = plan.order[nextIndex++] ?? 0;
    const task = taskAt(files, place, plan);
    let wasRead = false;
    const answer = await cache.read(task, (fileTask) => {
      wasRead = true;
      return read(fileTask);
    });
    if (stop.aborted || finished.signal.aborted) return false;
    lastAnswerAt = currentTime();
    scanResults.addLook(lookOf(task.key, answer), place);
    if (lastAnswerAt - lastReportAt >= reportMs) {
      lastReportAt = lastAnswerAt;
      notify(news('looking'));
    }
    if (currentTime() - pausedAt >= workMs) {
      await parts.pause();
      pausedAt = currentTime();
    }
    return wasRead;
  };
  const work = async () => {
    const times: number[] = [];
    while (!isFinished() && times.length < measuredFiles) {
      const startTime = currentTime();
      if (await readNext(parts.read)) times.push(currentTime() - startTime);
    }
    if (isFinished()) return;
    const isSlow = median(times) > slowMs;
    const { readers, close } = isSlow
      ? parts.openReaders()
      : { readers: new Array<ReadHead>(maxQueued).fill(parts.read), close: () => {} };
    closeReaders = close;
    const readRemaining = async (read: ReadHead) => {
      while (!isFinished()) await readNext(read);
    };
    await Promise.all(readers.map(readRemaining));
  };
  /** Ends the survey although a reader hangs on a drive. */
  const waitUntilLate = async () => {
    while (!stop.aborted && !finished.signal.aborted && !isLate())
      await parts.wait(silentMs / 10, AbortSignal.any([stop, finished.signal]));
  };
  await Promise.race([work().finally(() => finished.abort()), waitUntilLate()]);
  finished.abort();
  closeReaders();
  notify(news(scanResults.results('done').looked === plan.order.length ? 'done' : 'stopped'));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
