import type { Seen } from '../../../shared/source.ts';
import { type CallThread, createCallThread } from '../../files/call-thread.ts';
import type { SourceFile } from '../../files/model.ts';
import { scanWorkerSource } from '../../files/walk/scan-workers.ts';
import type { ChosenChanges } from '../changes/chosen-changes.ts';
import type { Completeness } from './completeness.ts';
import type { PartRequest, RequestedPart } from './requested-part.ts';
import type { SentRequest } from './sent-files.ts';
import type {
  DecidedAsset,
  DecidedSource,
  DecideWishes,
  ListedChanges,
  Proposal,
  Session,
} from './session.ts';

interface FoundFiles {
  /** The watched folder, outside of which nothing is read. Default: reads anywhere. */
  readonly folder?: string;
  readonly files: readonly SourceFile[];
}

/** Inspects sources in a thread that owns their file lists, so that only facts and job paths cross. */
export interface Inspector {
  readonly ask: CallThread<Session>['ask'];
  /** Throws like `requestedPart`. */
  readonly requestPart: (wish: PartRequest) => Promise<RequestedPart>;
  /** Inspects paths for unattended use and keeps the last result. Throws like `inspectSource`. */
  readonly decide: (paths: readonly string[], wishes?: DecideWishes) => Promise<DecidedSource>;
  readonly pathsOf: (decidedAsset: Pick<DecidedAsset, 'asset' | 'files'>) => Promise<readonly string[]>;
  /** Inspects all files until the signal aborts. */
  readonly scanDecided: (
    decidedAsset: Pick<DecidedAsset, 'asset'>,
    signal: AbortSignal,
    notify: (results: Seen) => void,
  ) => Promise<void>;
  /**
   * Inspects all files that an upload sent.
   *
   * @throws like `scanSource`; the signal's reason when it aborts
   */
  readonly scanSent: (
    request: SentRequest,
    signal: AbortSignal,
    notify: (results: Seen) => void,
  ) => Promise<{ readonly files: number; readonly bytes: number }>;
  /** Returns what the New asset sheet would propose. */
  readonly propose: (source: FoundFiles & { readonly paths: readonly string[] }) => Promise<Proposal>;
  /** Inspects the files that show best whether a source is complete. Throws `source-stalled`. */
  readonly inspectCompleteness: (source: FoundFiles) => Promise<Completeness>;
  /** Returns at most `length` bytes of a file in a watched folder; null if unreadable. */
  readonly readBeginning: (folder: string, path: string, length: number) => Promise<Uint8Array | null>;
  /** Inspects all files until the signal aborts. */
  readonly scanHeaders: (
    source: FoundFiles,
    signal: AbortSignal,
    notify: (results: Seen) => void,
  ) => Promise<void>;
  close(): void;
}

/** Enough for a few million files and their results, MiB. */
const limits = { maxOldGenerationSizeMb: 2_048, maxYoungGenerationSizeMb: 16 };
/** Files per message; larger messages would block this thread. */
const filesAtATime = 500;

/**
 * @param worker script of the threads; default: the TypeScript source, for plain Node
 * @param shutdown aborts all calls
 */
export function createInspector(
  worker: URL = scanWorkerSource,
  shutdown: AbortSignal = new AbortController().signal,
): Inspector {
  const thread = createCallThread<Session>('sources', limits, worker);
  const closed = new AbortController();
  const aborted = AbortSignal.any([shutdown, closed.signal]);
  const ask: Inspector['ask'] = (name, input, hearing = {}) =>
    thread.ask(name, input, {
      ...hearing,
      signal: hearing.signal ? AbortSignal.any([aborted, hearing.signal]) : aborted,
    });
  let lastGiven = 0;
  const withFiles = async <T>({ folder, files }: FoundFiles, use: (id: number) => Promise<T>): Promise<T> => {
    const id = ++lastGiven;
    const within = folder === undefined ? {} : { folder };
    try {
      for (let startIndex = 0; startIndex < files.length; startIndex += filesAtATime)
        await ask('give', { id, ...within, files: files.slice(startIndex, startIndex + filesAtATime) });
      return await use(id);
    } finally {
      // Fails if the thread has ended, which also discards the files.
      ask('forget', id).catch(() => {});
    }
  };
  const untilStopped = async (headerScan: Promise<void>, signal: AbortSignal): Promise<void> => {
    await headerScan.catch((error) => {
      if (!signal.aborted) throw error;
    });
  };
  return {
    ask,
    requestPart: async (wish) => {
      const { listed, ...part } = await ask('wanted', wish);
      if (!listed) return part;
      const counts = [listed.only ?? 0, listed.leftOut];
      for (const { files } of [...listed.assigned, ...(listed.worded ?? [])]) counts.push(files);
      const count = counts.reduce((sum, itemCount) => sum + itemCount, 0);
      const paths = await fetched(count, (startIndex) => ask('listedPaths', { id: listed.id, startIndex }));
      await ask('forgetList', listed.id);
      return { ...part, changes: changesOf(listed, paths) };
    },
    decide: (paths, wishes = {}) => ask('decide', { paths, ...wishes }),
    pathsOf: ({ asset, files }) => fetched(files, (startIndex) => ask('decidedPaths', { asset, startIndex })),
    scanDecided: ({ asset }, signal, notify) =>
      untilStopped(ask('scanDecided', asset, { signal, notify }), signal),
    scanSent: (request, signal, notify) => ask('scanSent', request, { signal, notify }),
    propose: ({ paths, ...found }) => withFiles(found, (id) => ask('propose', { id, paths })),
    inspectCompleteness: (found) => withFiles(found, (id) => ask('inspectCompleteness', id)),
    readBeginning: (folder, path, length) => ask('readBeginning', { folder, path, length }),
    scanHeaders: (found, signal, notify) =>
      untilStopped(
        withFiles(found, (id) => ask('scanGiven', id, { signal, notify })),
        signal,
      ),
    close: () => {
      closed.abort();
      thread.close();
    },
  };
}

async function fetched(count: number, ask: (startIndex: number) => Promise<readonly string[]>) {
  const paths: string[] = [];
  while (paths.length < count) paths.push(...(await ask(paths.length)));
  return paths;
}

function changesOf(listed: ListedChanges, paths: readonly string[]): ChosenChanges {
  const { only, leftOut, assigned, worded, takenAlong } = listed;
  let startIndex = 0;
  const take = (count: number) => {
    startIndex += count;
    return paths.slice(startIndex - count, startIndex);
  };
  return {
    ...(only !== undefined && { only: take(only) }),
    leftOut: take(leftOut),
    assigned: assigned.map(({ epsg, files }) => ({ epsg, files: take(files) })),
    ...(worded && { worded: worded.map(({ wkt, files }) => ({ wkt, files: take(files) })) }),
    ...(takenAlong && { takenAlong }),
  };
}
