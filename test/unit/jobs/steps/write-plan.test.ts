import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import type { JobEvent } from '../../../../main/jobs/events.ts';
import { openJournal } from '../../../../main/jobs/journal/journal.ts';
import type { Journal } from '../../../../main/jobs/journal/journal-model.ts';
import type { EventData } from '../../../../main/jobs/steps/live-job.ts';
import { beginPlan } from '../../../../main/jobs/steps/write-plan.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { jobRecord } from '../job-record.ts';

const mebibyte = 1024 * 1024;
let folder: string;
let journal: Journal;

beforeEach(() => {
  folder = temporaryFolder();
  journal = openJournal(join(folder, 'journal.db'));
  journal.addJob(jobRecord());
});
afterEach(() => {
  journal.close();
});

const job = {
  id: 'a',
  apply: (happening: EventData) => journal.append('a', { ...happening, at: 1 } as JobEvent),
};
const file = (key: string, size: number) => ({ path: `/data/${key}`, key, size, mtimeMs: 1.5 });
const manyFiles = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, index) => file(`${prefix}folder/${index}.gml`, index));
const running = new AbortController().signal;

async function writePlan(
  files: readonly SourceFile[],
  into: Pick<Journal, 'dropFiles' | 'addFiles'> = journal,
  signal = running,
): Promise<void> {
  const plan = await beginPlan('a', into, signal);
  for (let at = 0; at < files.length; at += 500) {
    signal.throwIfAborted();
    plan.add(files.slice(at, at + 500));
  }
  plan.end(job, {});
}

function keysIn(): Set<string> {
  const keys = new Set<string>();
  for (let page = journal.unfinishedFiles('a'); page.length > 0; ) {
    for (const { key } of page) keys.add(key);
    page = journal.unfinishedFiles('a', page.at(-1)?.id);
  }
  return keys;
}

it('the plan of a job contains every file once its event is written', async () => {
  await writePlan([file('a', 20 * mebibyte), file('empty', 0)]);
  expect(journal.events('a')).toEqual([{ kind: 'scanned', at: 1, files: 2, bytes: 20 * mebibyte, parts: 4 }]);
  expect(keysIn()).toEqual(new Set(['a', 'empty']));
});

it('the plan of a job is discarded by the next scan when it was cut short', async () => {
  const endController = new AbortController();
  let pages = 0;
  const cutJournal = {
    ...journal,
    addFiles: (...parameters: Parameters<Journal['addFiles']>) => {
      journal.addFiles(...parameters);
      if (++pages === 2) endController.abort(new Error('killed'));
    },
  };
  await expect(writePlan(manyFiles(3000), cutJournal, endController.signal)).rejects.toThrow('killed');
  expect(keysIn().size).toBe(1000);
  expect(journal.events('a')).toEqual([]);

  await writePlan([file('new', 1)]);
  expect(keysIn()).toEqual(new Set(['new']));
});

it('the plan of a job blocks the thread for one page at a time with 100,000 files', async () => {
  let longestMs = 0;
  /** CPU time of this thread, so that a busy machine doesn't matter. */
  const timedCall = <Args extends unknown[], Result>(call: (...parameters: Args) => Result) => {
    return (...parameters: Args): Result => {
      const previous = process.threadCpuUsage();
      const result = call(...parameters);
      const { user, system } = process.threadCpuUsage(previous);
      longestMs = Math.max(longestMs, (user + system) / 1000);
      return result;
    };
  };
  const watched = { addFiles: timedCall(journal.addFiles), dropFiles: timedCall(journal.dropFiles) };
  await writePlan(manyFiles(100_000), watched);
  const read = timedCall(journal.unfinishedFiles);
  let count = 0;
  for (let page = read('a'); page.length > 0; page = read('a', page.at(-1)?.id)) count += page.length;
  journal.removeJob('a');
  const clear = timedCall(journal.clearRemoved);
  while (clear());

  expect(count).toBe(100_000);
  // A page takes some 5 ms; all of it at once takes a second.
  expect(longestMs).toBeLessThan(100);
});
