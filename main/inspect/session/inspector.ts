import type { Seen } from '../../../shared/source.ts';
import { type CallThread, createCallThread } from '../../files/call-thread.ts';
import type { SourceFile } from '../../files/model.ts';
import { scanWorkerSource } from '../../files/walk/scan-workers.ts';
import type { ChosenChanges } from '../changes/chosen-changes.ts';
import type { DecidedAsset, DecidedSource, ListedChanges, Proposal, Session } from './session.ts';
import type { PartWish, WantedPart } from './wanted-part.ts';

/** What a watched folder has found. */
interface FoundFiles {
  readonly paths: readonly string[];
  readonly files: readonly SourceFile[];
}

/**
 * Looks at sources in a thread that owns the lists of their files: here are facts, counts, and of paths what
 * a job is made of.
 */
export interface Inspector {
  /** Asks the session about the source that the New asset sheet shows. */
  readonly ask: CallThread<Session>['ask'];
  /** What a page wants to upload of what it shows, with all paths. Throws as `wantedPart`. */
  readonly wanted: (wish: PartWish) => Promise<WantedPart>;
  /** What paths are, for everything that acts on it; the last is remembered. Throws as `inspectSource`. */
  readonly decide: (paths: readonly string[], sidecarsOnly?: boolean) => Promise<DecidedSource>;
  /** Paths of the files of what was decided on. */
  readonly pathsOf: (one: Pick<DecidedAsset, 'asset' | 'files'>) => Promise<readonly string[]>;
  /** Looks into all files of what was decided on. Ends when the signal aborts. */
  readonly surveyDecided: (
    one: Pick<DecidedAsset, 'asset'>,
    signal: AbortSignal,
    tell: (seen: Seen) => void,
  ) => Promise<void>;
  /** What the New asset sheet proposes for a source of a watched folder. */
  readonly propose: (source: FoundFiles) => Promise<Proposal>;
  /** Looks into all of these files. Ends when the signal aborts. */
  readonly survey: (
    files: readonly SourceFile[],
    signal: AbortSignal,
    tell: (seen: Seen) => void,
  ) => Promise<void>;
  /** Ends the thread. */
  close(): void;
}

/** Room for the lists of a few million files, and for what was seen in them. MiB. */
const limits = { maxOldGenerationSizeMb: 2_048, maxYoungGenerationSizeMb: 16 };
/** Files that cross at a time: more would hold up this thread. */
const filesAtATime = 500;

/**
 * @param worker the file of its threads; default: the source, for plain Node
 * @param ending ends whatever is under way
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
  /** What is given is forgotten when it was used. */
  const withFiles = async <T>(files: readonly SourceFile[], use: (id: number) => Promise<T>): Promise<T> => {
    const id = ++lastGiven;
    try {
      for (let at = 0; at < files.length; at += filesAtATime)
        await ask('give', { id, files: files.slice(at, at + filesAtATime) });
      return await use(id);
    } finally {
      // Where the thread has ended it has forgotten everything.
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
    decide: (paths, sidecarsOnly = false) => ask('decide', { paths, sidecarsOnly }),
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

/** The changes of which the paths were fetched. */
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
