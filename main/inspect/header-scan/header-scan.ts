import type { AssetSeen, Density, PackedFootprints, Seen } from '../../../shared/source.ts';
import { packFootprints } from '../../../shared/source.ts';
import type { SourceFiles } from '../../files/model.ts';
import type { Findings } from '../findings/create-findings.ts';
import { planInspection } from '../headers/choose.ts';
import type { HeaderCache } from '../headers/header-cache.ts';
import { taskAt } from '../headers/header-task.ts';
import type { Look } from '../headers/look-inside.ts';
import type { HeaderAnswer, HeaderTask } from '../headers/read-header.ts';
import { SeenSoFar, type SurveyedAssets } from './scan-results.ts';

export interface SurveyNews {
  readonly seen: Seen;
  /** Assets with new results; absent if there is only one asset. */
  readonly assets?: readonly AssetSeen[];
  /** New ones; meaningless with a density. */
  readonly footprints: PackedFootprints;
  /** Null while each file has its own footprint. */
  readonly density: Density | null;
}

type ReadHead = (task: HeaderTask) => Promise<HeaderAnswer | null>;

export interface SurveyParts {
  readonly cache: HeaderCache;
  /** For these files; the survey adds to them. */
  readonly findings: Findings;
  /** Default: one asset. */
  readonly assets?: SurveyedAssets;
  readonly outline: ConstructorParameters<typeof SeenSoFar>[2];
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
  readonly notify: (news: SurveyNews) => void;
}

/** Longest duration of a survey, and longest time without a result, ms. */
export const [longestMs, silentMs] = [120_000, 30_000];
/** Time between pauses for messages, ms. */
const stretchMs = 10;
/** Delay of the first report and interval of the others, ms. */
const [firstReportMs, reportMs] = [100, 500];
/** Median read time of a slow drive, ms, and the number of files measured. */
const slowMs = 2;
const measured = 9;
/** Requests queued in the single thread on fast drives, to hide the round trip. */
const atHand = 16;

/** Inspects all files, in parallel on a slow drive. Ends when stopped or after two minutes. */
export async function survey(files: SourceFiles, parts: SurveyParts, stop: AbortSignal): Promise<void> {
  const { cache, currentTime, notify } = parts;
  const plan = planInspection(files, parts.assets?.lengths);
  const soFar = new SeenSoFar(plan, parts.findings, parts.outline, parts.assets);
  const began = currentTime();
  const finished = new AbortController();
  let closeReaders = () => {};
  let nextIndex = 0;
  let [pausedAt, heardAt] = [began, began];
  let toldAt = began + firstReportMs - reportMs;
  const isLate = () => currentTime() - began >= longestMs || currentTime() - heardAt >= silentMs;
  const isOver = () => stop.aborted || nextIndex >= plan.order.length || isLate();
  const news = (state: Seen['state']): SurveyNews => {
    const density = soFar.density;
    const footprints = packFootprints(soFar.takeFootprints());
    const assets = soFar.takeAssets();
    return { seen: soFar.results(state), ...(assets.length > 0 && { assets }), footprints, density };
  };
  /** Returns whether the file had to be read. */
  const lookAtNext = async (read: ReadHead): Promise<boolean> => {
    const place = plan.order[nextIndex++] ?? 0;
    const task = taskAt(files, place, plan);
    const cachedAnswer = cache.get(task);
    const answer = cachedAnswer ?? (await read(task));
    if (stop.aborted || finished.signal.aborted) return false;
    heardAt = currentTime();
    if (answer && !cachedAnswer) cache.store(task, answer);
    soFar.take(lookOf(task.key, answer), place);
    if (heardAt - toldAt >= reportMs) {
      toldAt = heardAt;
      notify(news('looking'));
    }
    if (currentTime() - pausedAt >= stretchMs) {
      await parts.pause();
      pausedAt = currentTime();
    }
    return cachedAnswer === null;
  };
  const work = async () => {
    const times: number[] = [];
    while (!isOver() && times.length < measured) {
      const startTime = currentTime();
      if (await lookAtNext(parts.read)) times.push(currentTime() - startTime);
    }
    if (isOver()) return;
    const isSlow = median(times) > slowMs;
    const { readers, close } = isSlow
      ? parts.openReaders()
      : { readers: new Array<ReadHead>(atHand).fill(parts.read), close: () => {} };
    closeReaders = close;
    const readOn = async (read: ReadHead) => {
      while (!isOver()) await lookAtNext(read);
    };
    await Promise.all(readers.map(readOn));
  };
  /** Ends the survey although a reader hangs on a drive. */
  const late = async () => {
    while (!stop.aborted && !finished.signal.aborted && !isLate())
      await parts.wait(silentMs / 10, AbortSignal.any([stop, finished.signal]));
  };
  await Promise.race([work().finally(() => finished.abort()), late()]);
  finished.abort();
  closeReaders();
  notify(news(soFar.results('done').looked === plan.order.length ? 'done' : 'stopped'));
}

function lookOf(key: string, answer: HeaderAnswer | null): Look {
  return { key, ...(answer ?? { head: null, sidecarSystemName: null, verdict: null, unread: true }) };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
