import { setImmediate, setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FindingId } from '../../../shared/findings.ts';
import { packFootprints } from '../../../shared/source.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { createPage, textsInPages } from '../../files/pages.ts';
import type { ThreadKind } from '../../files/thread-kind.ts';
import { scanWorkerSource } from '../../files/walk/scan-workers.ts';
import { giveUp } from '../../hanging-work.ts';
import { filesPerMessage, type PackedFiles, packFiles } from '../headers/packed-files.ts';
import type { SurveyNews } from './survey.ts';

/**
 * What the thread is told: the files of a source in several messages, that these were all, and that nobody
 * wants to know any more.
 */
export type SurveyOrder =
  | { readonly kind: 'files'; readonly files: PackedFiles }
  /** `lengths`: how many of the files, which are in the order of the assets, are in each. */
  | { readonly kind: 'begin'; readonly id: number; readonly lengths: readonly number[] }
  /** Which files of the survey that began last show a finding. */
  | { readonly kind: 'showing'; readonly id: number; readonly finding: FindingId }
  | { readonly kind: 'stop' };

/** What it answers: of a survey, null when it is over; and keys, each followed by a NUL, which none holds. */
export type SurveyReply =
  | { readonly id: number; readonly news: SurveyNews | null }
  | { readonly id: number; readonly showing: string };

/** Room for what was seen in a source, and in those before. MiB. */
const [maxMemory, maxYoungMemory] = [512, 16];
/** A drive that answers nothing for so long is given up, ms. */
const silentMs = 30_000;
/** So long does a survey wait for the end of one that was stopped, ms. */
const endMs = 1_000;

/** A thread that looks into all files of a source, and remembers what it has seen. */
export interface SurveyThread {
  /**
   * Tells what is seen, the last time with the end; of a survey that was stopped nothing more. Ends when the
   * thread does, when the signal aborts, and when the drive does not answer.
   *
   * @param lengths how many of the files, which are in the order of the assets, are in each. Default: one
   *   asset
   */
  survey(
    files: SourceFiles,
    signal: AbortSignal,
    tell: (news: SurveyNews) => void,
    lengths?: readonly number[],
  ): Promise<void>;
  /**
   * Keys of all files that show a finding, as far as the survey that was begun last has looked, stopped by
   * now or not.
   */
  showing(finding: FindingId): Promise<readonly string[]>;
  close(): void;
}

/** @param file the worker's file: its source in plain Node, its bundle in Electron */
export function createSurveyThread(file: URL = scanWorkerSource): SurveyThread {
  let thread: Worker | null = null;
  let lastId = 0;
  /** Of the last survey, when the thread has no more to do with it. */
  let over: Promise<void> = Promise.resolve();
  const end = () => {
    const ended = thread;
    thread = null;
    if (ended) giveUp(ended.terminate());
  };
  const start = () => {
    const resourceLimits = { maxOldGenerationSizeMb: maxMemory, maxYoungGenerationSizeMb: maxYoungMemory };
    const started = new Worker(file, {
      ...{ workerData: 'survey' satisfies ThreadKind, execArgv: [], name: 'survey' },
      resourceLimits,
    });
    const forget = () => {
      if (thread === started) thread = null;
    };
    started.on('error', forget).on('exit', forget);
    return started;
  };
  return {
    survey: async (files, signal, tell, lengths = [files.length]) => {
      const id = ++lastId;
      const hangs = await Promise.race([over.then(() => false), setTimeout(endMs, true, { ref: false })]);
      if (signal.aborted) return;
      if (hangs) end();
      thread ??= start();
      const surveying = surveyIn(thread, { id, files, lengths, signal, tell, giveUp: end });
      over = surveying.over;
      await surveying.ended;
    },
    showing: (finding) => (thread ? askIn(thread, ++lastId, finding) : Promise.resolve([])),
    close: end,
  };
}

/** A thread that ends, or whose drive does not answer, has nothing to say. */
async function askIn(worker: Worker, id: number, finding: FindingId): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const hear = (reply: SurveyReply) => {
    if (reply.id === id && 'showing' in reply) resolve(reply.showing);
  };
  const none = () => resolve('');
  worker.on('message', hear).on('exit', none);
  worker.postMessage({ kind: 'showing', id, finding } satisfies SurveyOrder);
  const giveUp = new AbortController();
  const late = setTimeout(silentMs, '', { signal: giveUp.signal }).catch(() => '');
  const keys = await Promise.race([promise, late]);
  giveUp.abort();
  worker.off('message', hear).off('exit', none);
  return textsInPages(keys, createPage());
}

interface Surveyed {
  readonly id: number;
  readonly files: SourceFiles;
  readonly lengths: readonly number[];
  readonly signal: AbortSignal;
  readonly tell: (news: SurveyNews) => void;
  /** Ends the thread. */
  readonly giveUp: () => void;
}

/** `ended`: nothing more is told. `over`: the thread has no more to do with it. */
function surveyIn(
  worker: Worker,
  { id, files, lengths, signal, tell, giveUp }: Surveyed,
): { readonly ended: Promise<void>; readonly over: Promise<void> } {
  const [ended, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const order = (message: SurveyOrder) => worker.postMessage(message);
  let last: SurveyNews | null = null;
  const silence = setInterval(() => {
    if (performance.now() - heardAt < silentMs) return;
    giveUp();
    finish();
  }, silentMs / 10).unref();
  let heardAt = performance.now();
  const hear = (reply: SurveyReply) => {
    if (reply.id !== id || !('news' in reply)) return;
    heardAt = performance.now();
    const { news } = reply;
    if (news === null) finish();
    else if (!signal.aborted) {
      last = news;
      tell(news);
    }
  };
  const stop = () => {
    order({ kind: 'stop' });
    ended.resolve();
  };
  const finish = () => {
    clearInterval(silence);
    worker.off('message', hear).off('exit', finish).unref();
    signal.removeEventListener('abort', stop);
    if (!signal.aborted && last?.seen.state === 'looking')
      tell({ ...last, seen: { ...last.seen, state: 'stopped' }, footprints: packFootprints([]) });
    ended.resolve();
    over.resolve();
  };
  worker.on('message', hear).on('exit', finish).ref();
  signal.addEventListener('abort', stop, { once: true });
  const send = async () => {
    for (let at = 0; at < files.length && !signal.aborted; at += filesPerMessage) {
      order({ kind: 'files', files: packFiles(someOf(files, at, filesPerMessage)) });
      await setImmediate();
    }
    // One that was stopped before it began has its answer all the same.
    order({ kind: 'begin', id, lengths });
    if (signal.aborted) order({ kind: 'stop' });
  };
  void send();
  return { ended: ended.promise, over: over.promise };
}

/** As many as there are from a place on, at most so many. */
function someOf(files: SourceFiles, from: number, most: number): readonly SourceFile[] {
  const some: SourceFile[] = [];
  for (let at = from; at < Math.min(files.length, from + most); at++) {
    const file = files.at(at);
    if (file) some.push(file);
  }
  return some;
}
