/**
 * Tilelift's engine with very many files: scans, plans, records and transfers like a job, and resumes from
 * the journal. Prints progress as lines of JSON (`million/progress.ts`).
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { scanInPages } from '../../../main/files/walk/scan.ts';
import { keepYoungSmall } from '../../../main/free-memory.ts';
import type { Journal } from '../../../main/jobs/journal/journal-model.ts';
import { openJournalOrRescue } from '../../../main/jobs/journal/journal-rescue.ts';
import { filesToSend } from '../../../main/jobs/steps/files-to-send.ts';
import type { EventData, LiveJob } from '../../../main/jobs/steps/live-job.ts';
import { planSource } from '../../../main/jobs/steps/plan-source.ts';
import { systemClock } from '../../../main/ports.ts';
import { transfer } from '../../../main/transfer/transfer.ts';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import type { Progress } from '../million/progress.ts';
import { peakBytes } from '../peak-memory.ts';
import { recordIn } from './journal-record.ts';
import { readTask } from './task.ts';
import { scanWorker, uploadWorker } from './workers.ts';

const jobId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const credentialLifeMs = 3_600_000;

// The command does the same.
keepYoungSmall();
const task = readTask();
const folder = process.argv[3] ?? '';
const report = (progress: Progress) => console.log(JSON.stringify(progress));
/** Seconds since the start of the process, including Node's own start. */
const seconds = () => performance.now() / 1000;

let inJournalMs = 0;
function timedJournal(journal: Journal): Journal {
  const calls = Object.entries(journal).map(([name, call]) => [
    name,
    (...parameters: unknown[]) => {
      const startedAt = performance.now();
      try {
        return call(...parameters);
      } finally {
        inJournalMs += performance.now() - startedAt;
      }
    },
  ]);
  return Object.fromEntries(calls);
}

const journalFile = join(folder, 'journal.db');
const journal = timedJournal(openJournalOrRescue(journalFile, Date.now()).journal);
const { signal } = new AbortController();
const body = { name: 'Benchmark', type: '3DTILES', options: { sourceType: 'CITYGML' } } as const;
const record = {
  ...{ id: jobId, accountId: 'bench', paths: [task.path], body },
  ...{ acceptForecast: true, createdAt: systemClock.now() },
};
if (journal.jobs().length === 0) journal.addJob(record);
if (journal.events(jobId).length === 0) {
  const apply = (event: EventData) => journal.append(jobId, { ...event, at: systemClock.now() });
  const ports = {
    journal,
    scanInPages: ({ paths }: { paths: readonly string[] }, onFiles: Parameters<typeof scanInPages>[1]) =>
      scanInPages(paths, onFiles, { signal, worker: scanWorker }),
  };
  // Planning needs only these members of a job.
  await planSource({ id: jobId, record, apply } as unknown as LiveJob, ports, signal);
  report({ kind: 'planned', seconds: seconds() });
}
const storage = createStorageClient(
  { ...task, prefix: `${task.id}/` },
  { ca: [await readFile(task.caFile, 'utf8')], worker: uploadWorker },
);
const confirmedTotals = journal.totals(jobId);
let reportedParts = confirmedTotals.parts;
await transfer(filesToSend(journal, jobId), {
  storage,
  record: recordIn(journal),
  clock: systemClock,
  random: Math.random,
  signal,
  confirmedAmount: confirmedTotals,
  credentialsEndAt: systemClock.now() + credentialLifeMs,
  onProgress: ({ partsDone }) => {
    if (reportedParts === confirmedTotals.parts && partsDone > reportedParts)
      report({ kind: 'first', seconds: seconds() });
    if (reportedParts < task.files / 2 && partsDone >= task.files / 2) report({ kind: 'half' });
    reportedParts = partsDone;
  },
});
storage.close();
const { doneCount: files } = journal.fileProgress(jobId, 0);
journal.close();
report({
  ...{ kind: 'end', files, seconds: seconds(), journalSeconds: inJournalMs / 1000 },
  journalBytes: (await stat(journalFile)).size,
  peakBytes: peakBytes(),
});
