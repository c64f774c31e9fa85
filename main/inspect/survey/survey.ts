import type { AssetSeen, Density, PackedFootprints, Seen } from '../../../shared/source.ts';
import { packFootprints } from '../../../shared/source.ts';
import type { SourceFiles } from '../../files/model.ts';
import type { Findings } from '../findings/create-findings.ts';
import { planLooks } from '../headers/choose.ts';
import { taskAt } from '../headers/head-task.ts';
import type { LookCache } from '../headers/look-cache.ts';
import type { Look } from '../headers/look-inside.ts';
import type { HeadAnswer, HeadTask } from '../headers/read-head.ts';
import { SeenSoFar, type SurveyedAssets } from './seen.ts';

/** What a survey says each time. */
export interface SurveyNews {
  readonly seen: Seen;
  /** Of several assets, those in which something was seen since the last time; absent where there is one. */
  readonly assets?: readonly AssetSeen[];
  /** Those since the last time; of no meaning beside a density. */
  readonly footprints: PackedFootprints;
  /** Null where each file has its own footprint. */
  readonly density: Density | null;
}

type ReadHead = (task: HeadTask) => Promise<HeadAnswer | null>;

/** What a survey needs. */
export interface SurveyParts {
  readonly cache: LookCache;
  /** Of these files; it is fed here. */
  readonly findings: Findings;
  /** Default: the files are one asset. */
  readonly assets?: SurveyedAssets;
  readonly outline: ConstructorParameters<typeof SeenSoFar>[2];
  /** Reads in a thread, one after the other. */
  readonly read: ReadHead;
  /** Further threads that read, for a drive that takes its time: each call is of one. */
  readonly openReaders: () => { readonly readers: readonly ReadHead[]; readonly close: () => void };
  /** Monotonic ms. */
  readonly now: () => number;
  /** Lets messages in. */
  readonly pause: () => Promise<void>;
  /** Rejects with nothing; resolves when the signal aborts or after so many ms. */
  readonly wait: (ms: number, stop: AbortSignal) => Promise<void>;
  readonly tell: (news: SurveyNews) => void;
}

/** A survey ends after so long, whatever it has seen, and when it has read nothing for so long. ms. */
export const [longestMs, silentMs] = [120_000, 30_000];
/** How long it goes on before it lets messages in, ms. */
const stretchMs = 10;
/** What was seen is told so often, ms; the first time sooner. */
const [firstTellMs, tellMs] = [100, 500];
/**
 * A file takes longer than this on drives where several are read at a time. ms, and files that it is measured
 * by.
 */
const slowMs = 2;
const measured = 9;
/** On other drives one thread is given so many at a time: none waits for the way there and back. */
const atHand = 16;

/**
 * Looks into all files of a source, one after the other, or several at a time on a slow drive, and tells what
 * it has seen. It ends when it is stopped, and after two minutes.
 */
export async function survey(files: SourceFiles, parts: SurveyParts, stop: AbortSignal): Promise<void> {
  const { cache, now, tell } = parts;
  const plan = planLooks(files, parts.assets?.lengths);
  const soFar = new SeenSoFar(plan, parts.findings, parts.outline, parts.assets);
  const began = now();
  const over = new AbortController();
  let closeReaders = () => {};
  let next = 0;
  let [pausedAt, heardAt] = [began, began];
  let toldAt = began + firstTellMs - tellMs;
  const isLate = () => now() - began >= longestMs || now() - heardAt >= silentMs;
  const isOver = () => stop.aborted || next >= plan.order.length || isLate();
  const news = (state: Seen['state']): SurveyNews => {
    const density = soFar.density;
    const footprints = packFootprints(soFar.takeFootprints());
    const assets = soFar.takeAssets();
    return { seen: soFar.seen(state), ...(assets.length > 0 && { assets }), footprints, density };
  };
  /** The next file, by what reads it. Gives whether it had to be read. */
  const lookAtNext = async (read: ReadHead): Promise<boolean> => {
    const place = plan.order[next++] ?? 0;
    const task = taskAt(files, place, plan);
    const known = cache.get(task);
    const said = known ?? (await read(task));
    if (stop.aborted || over.signal.aborted) return false;
    heardAt = now();
    if (said && !known) cache.keep(task, said);
    soFar.take(lookOf(task.key, said), place);
    if (heardAt - toldAt >= tellMs) {
      toldAt = heardAt;
      tell(news('looking'));
    }
    if (now() - pausedAt >= stretchMs) {
      await parts.pause();
      pausedAt = now();
    }
    return known === null;
  };
  const work = async () => {
    const times: number[] = [];
    while (!isOver() && times.length < measured) {
      const from = now();
      if (await lookAtNext(parts.read)) times.push(now() - from);
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
  /** A reader that waits for a drive does not come back. */
  const late = async () => {
    while (!stop.aborted && !over.signal.aborted && !isLate())
      await parts.wait(silentMs / 10, AbortSignal.any([stop, over.signal]));
  };
  await Promise.race([work().finally(() => over.abort()), late()]);
  over.abort();
  closeReaders();
  tell(news(soFar.seen('done').looked === plan.order.length ? 'done' : 'stopped'));
}

function lookOf(key: string, said: HeadAnswer | null): Look {
  return { key, ...(said ?? { head: null, systemBeside: null, verdict: null, unread: true }) };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
