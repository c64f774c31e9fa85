import type { AssetSeen, Density, PackedFootprints, Seen } from '../../../shared/source.ts';
import { packFootprints } from '../../../shared/source.ts';
import type { Findings } from '../findings/create-findings.ts';
import { planLooks } from '../headers/choose.ts';
import type { LookCache } from '../headers/look-cache.ts';
import type { Look } from '../headers/look-inside.ts';
import type { FileColumns } from '../headers/packed-files.ts';
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

/** What a survey needs of the thread that it runs in. */
export interface SurveyParts {
  readonly cache: LookCache;
  /** Of these files; it is fed here. */
  readonly findings: Findings;
  /** Default: the files are one asset. */
  readonly assets?: SurveyedAssets;
  readonly outline: ConstructorParameters<typeof SeenSoFar>[2];
  /** Reads in this thread, which can't be reached meanwhile. */
  readonly readHere: ReadHead;
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

/** A survey ends after so long, whatever it has seen. ms. */
export const longestMs = 120_000;
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

/**
 * Looks into all files of a source, one after the other, or several at a time on a slow drive, and tells what
 * it has seen. It ends when it is stopped, and after two minutes.
 */
export async function survey(files: FileColumns, parts: SurveyParts, stop: AbortSignal): Promise<void> {
  const { cache, now, tell } = parts;
  const plan = planLooks(files.keys, parts.assets?.lengths);
  const soFar = new SeenSoFar(plan, parts.findings, parts.outline, parts.assets);
  const began = now();
  let next = 0;
  let toldAt = began + firstTellMs - tellMs;
  const isOver = () => stop.aborted || next >= plan.order.length || now() - began >= longestMs;
  const news = (state: Seen['state']): SurveyNews => {
    const density = soFar.density;
    const footprints = packFootprints(soFar.takeFootprints());
    const assets = soFar.takeAssets();
    return { seen: soFar.seen(state), ...(assets.length > 0 && { assets }), footprints, density };
  };
  /** The next file, by what reads it. Gives whether it had to be read. */
  const lookAtNext = async (read: ReadHead): Promise<boolean> => {
    const place = plan.order[next++] ?? 0;
    const task = files.task(place, plan);
    const known = cache.get(task);
    const said = known ?? (await read(task));
    if (stop.aborted) return false;
    if (said && !known) cache.keep(task, said);
    soFar.take(lookOf(task.key, said), place);
    if (now() - toldAt >= tellMs) {
      toldAt = now();
      tell(news('looking'));
    }
    return known === null;
  };

  const times: number[] = [];
  let pausedAt = now();
  while (!isOver() && !(times.length === measured && median(times) > slowMs)) {
    const from = now();
    const wasRead = await lookAtNext(parts.readHere);
    if (wasRead && times.length < measured) times.push(now() - from);
    if (now() - pausedAt < stretchMs) continue;
    await parts.pause();
    pausedAt = now();
  }
  if (!isOver()) {
    const { readers, close } = parts.openReaders();
    const work = readers.map(async (read) => {
      while (!isOver()) await lookAtNext(read);
    });
    // A reader that waits for a drive does not come back.
    const ended = new AbortController();
    const late = parts.wait(longestMs - (now() - began), AbortSignal.any([stop, ended.signal]));
    await Promise.race([Promise.all(work), late]);
    ended.abort();
    close();
  }
  tell(news(soFar.seen('done').looked === plan.order.length ? 'done' : 'stopped'));
}

function lookOf(key: string, said: HeadAnswer | null): Look {
  return { key, ...(said ?? { head: null, systemBeside: null, verdict: null, unread: true }) };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
