import type { Seen } from '../../../shared/source.ts';
import { type CallThread, createCallThread } from '../../files/call-thread.ts';
import type { SourceFile } from '../../files/model.ts';
import { scanWorkerSource } from '../../files/walk/scan-workers.ts';
import type { ChosenChanges } from '../changes/chosen-changes.ts';
import type {
  DecidedAsset,
  DecidedSource,
  DecideWishes,
  ListedChanges,
  Proposal,
  Session,
} from './session.ts';
import type { PartWish, WantedPart } from './wanted-part.ts';

interface FoundFiles {
  readonly paths: readonly string[];
  readonly files: readonly SourceFile[];
}

/** Inspects sources in a thread that owns their file lists, so that only facts and job paths cross. */
export interface Inspector {
  readonly ask: CallThread<Session>['ask'];
  /** Throws like `wantedPart`. */
  readonly wanted: (wish: PartWish) => Promise<WantedPart>;
  /** Inspects paths for unattended use and keeps the last result. Throws like `inspectSource`. */
  readonly decide: (paths: readonly string[], wishes?: DecideWishes) => Promise<DecidedSource>;
  readonly pathsOf: (one: Pick<DecidedAsset, 'asset' | 'files'>) => Promise<readonly string[]>;
  /** Inspects all files until the signal aborts. */
  readonly surveyDecided: (
    one: Pick<DecidedAsset, 'asset'>,
    signal: AbortSignal,
    tell: (seen: Seen) => void,
  ) => Promise<void>;
  /** Returns what the New asset sheet would propose. */
  readonly propose: (source: FoundFiles) => Promise<Proposal>;
  /** Inspects all files until the signal aborts. */
  readonly survey: (
    files: readonly SourceFile[],
    signal: AbortSignal,
    tell: (seen: Seen) => void,
  ) => Promise<void>;
  close(): void;
}

/** Enough for a few million files and their results, MiB. */
const limits = { maxOldGenerationSizeMb: 2_048, maxYoungGenerationSizeMb: 16 };
/** Files per message; larger messages would block this thread. */
const filesAtATime = 500;

/**
 * @param worker script of the threads; default: the TypeScript source, for plain Node
 * @param ending aborts all calls
 */
export function createInspector(
  worker: URL = scanWorkerSource,
  ending: AbortSignal = new AbortController().signal,
): Inspector {
  const thread = createCallThread<Session>('sources', limits, worker);
  const closed = new AbortController();
  const over = AbortSignal.any([ending, closed.signal]);
  const ask: Inspector['ask'] = (name, given, hearing = {}) =>
    thread.ask(name, given, {
      ...hearing,
      signal: hearing.signal ? AbortSignal.any([over, hearing.signal]) : over,
    });
  let lastGiven = 0;
  const withFiles = async <T>(files: readonly SourceFile[], use: (id: number) => Promise<T>): Promise<T> => {
    const id = ++lastGiven;
    try {
      for (let at = 0; at < files.length; at += filesAtATime)
        await ask('give', { id, files: files.slice(at, at + filesAtATime) });
      return await use(id);
    } finally {
      // Fails if the thread has ended, which also discards the files.
      ask('forget', id).catch(() => {});
    }
  };
  const untilStopped = async (survey: Promise<void>, signal: AbortSignal): Promise<void> => {
    await survey.catch((error) => {
      if (!signal.aborted) throw error;
    });
  };
  return {
    ask,
    wanted: async (wish) => {
      const { listed, ...part } = await ask('wanted', wish);
      if (!listed) return part;
      const counts = [listed.only ?? 0, listed.leftOut];
      for (const { files } of [...listed.assigned, ...(listed.worded ?? [])]) counts.push(files);
      const count = counts.reduce((sum, one) => sum + one, 0);
      const paths = await fetched(count, (from) => ask('listedPaths', { id: listed.id, from }));
      await ask('forgetList', listed.id);
      return { ...part, changes: changesOf(listed, paths) };
    },
    decide: (paths, wishes = {}) => ask('decide', { paths, ...wishes }),
    pathsOf: ({ asset, files }) => fetched(files, (from) => ask('decidedPaths', { asset, from })),
    surveyDecided: ({ asset }, signal, tell) =>
      untilStopped(ask('surveyDecided', asset, { signal, tell }), signal),
    propose: ({ files, paths }) => withFiles(files, (id) => ask('propose', { id, paths })),
    survey: (files, signal, tell) =>
      untilStopped(
        withFiles(files, (id) => ask('surveyGiven', id, { signal, tell })),
        signal,
      ),
    close: () => {
      closed.abort();
      thread.close();
    },
  };
}

async function fetched(count: number, ask: (from: number) => Promise<readonly string[]>) {
  const paths: string[] = [];
  while (paths.length < count) paths.push(...(await ask(paths.length)));
  return paths;
}

function changesOf(listed: ListedChanges, paths: readonly string[]): ChosenChanges {
  const { only, leftOut, assigned, worded, takenAlong } = listed;
  let at = 0;
  const take = (count: number) => {
    at += count;
    return paths.slice(at - count, at);
  };
  return {
    ...(only !== undefined && { only: take(only) }),
    leftOut: take(leftOut),
    assigned: assigned.map(({ epsg, files }) => ({ epsg, files: take(files) })),
    ...(worded && { worded: worded.map(({ wkt, files }) => ({ wkt, files: take(files) })) }),
    ...(takenAlong && { takenAlong }),
  };
}
