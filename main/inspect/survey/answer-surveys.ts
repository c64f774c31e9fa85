import { setImmediate, setTimeout } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { loadSystems } from '../crs/systems.ts';
import { createFindings, type Findings, maxKeys } from '../findings/create-findings.ts';
import { namedByAsset } from '../grouping/asset-files.ts';
import { LookCache } from '../headers/look-cache.ts';
import { type OpenFiles, readHeadOf, realFiles } from '../headers/look-tasks.ts';
import { createLookThread } from '../headers/look-thread.ts';
import { FileColumns } from '../headers/packed-files.ts';
import { type SurveyNews, survey } from './survey.ts';
import type { SurveyOrder, SurveyReply } from './survey-thread.ts';

/** Threads that read together on a slow drive, where each mostly waits. */
const readersAtATime = 16;
/** Files that a finding names of all assets together, and at least of each. */
const [allKeys, fewestKeys] = [5_000, 20];

const keysOfEach = (assets: number): number =>
  Math.min(maxKeys, Math.max(fewestKeys, Math.floor(allKeys / assets)));

/**
 * The thread's side of `createSurveyThread`.
 *
 * @param file of further threads that read
 */
export function answerSurveys(port: MessagePort, file: URL, files: OpenFiles = realFiles): void {
  const cache = new LookCache();
  let columns = new FileColumns();
  let stop = new AbortController();
  let findings: Findings | null = null;
  // What projects is needed in the thread alone, and from its first survey on.
  const loaded = Promise.all([loadSystems(), import('../crs/footprints.ts'), import('../crs/lon-lat.ts')]);
  const work = async (id: number, own: FileColumns, lengths: readonly number[], signal: AbortSignal) => {
    const reply = (news: SurveyNews | null) => port.postMessage({ id, news } satisfies SurveyReply);
    const [systems, { outlines }, { toLonLat }] = await loaded;
    const outline = outlines(systems);
    const earth = { ...systems, toLonLat };
    const mine = createFindings(own.named(), earth);
    const ofAssets = lengths.length > 1 ? namedByAsset(own.named(), lengths) : [];
    const assets = {
      lengths: ofAssets.length > 0 ? lengths : [own.keys.length],
      findings: ofAssets.map((files) => createFindings(files, earth, undefined, keysOfEach(ofAssets.length))),
    };
    // What was seen stays until the next: a person uploads by it when nobody looks on any more.
    if (stop.signal === signal) findings = mine;
    await survey(
      own,
      {
        ...{ cache, findings: mine, assets, outline },
        readHere: (task) => readHeadOf(task, files),
        openReaders: () => {
          const threads = Array.from({ length: readersAtATime }, () => createLookThread(file));
          return {
            readers: threads.map(({ ask }) => ask),
            close: () => {
              for (const { close } of threads) close();
            },
          };
        },
        now: () => performance.now(),
        pause: () => setImmediate(),
        wait: (ms, over) => setTimeout(ms, undefined, { signal: over }).catch(() => {}),
        tell: reply,
      },
      signal,
    );
    reply(null);
  };
  port.on('message', (order: SurveyOrder) => {
    if (order.kind === 'files') columns.add(order.files);
    else if (order.kind === 'showing') {
      const keys = findings?.showing(order.finding) ?? [];
      const showing = keys.length > 0 ? `${keys.join('\0')}\0` : '';
      port.postMessage({ id: order.id, showing } satisfies SurveyReply);
    } else if (order.kind === 'stop') {
      stop.abort();
      columns = new FileColumns();
    } else {
      stop = new AbortController();
      findings = null;
      void work(order.id, columns, order.lengths, stop.signal);
      columns = new FileColumns();
    }
  });
}
