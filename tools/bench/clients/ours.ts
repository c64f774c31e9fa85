/** Tilelift's engine without service and window: scans, plans, records and transfers as a job does. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { scanSource } from '../../../main/files/walk/scan.ts';
import { keepYoungSmall } from '../../../main/free-memory.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import type { Journal } from '../../../main/jobs/journal/journal-model.ts';
import { filesToSend } from '../../../main/jobs/steps/files-to-send.ts';
import type { EventData } from '../../../main/jobs/steps/live-job.ts';
import { beginPlan } from '../../../main/jobs/steps/write-plan.ts';
import { systemClock } from '../../../main/ports.ts';
import { transfer } from '../../../main/transfer/transfer.ts';
import { createStorageClient, prepareUpload } from '../../../main/workers/storage-client.ts';
import { peakBytes } from '../peak-memory.ts';
import { recordIn } from './journal-record.ts';
import { type OursReport, readTask } from './task.ts';
import { scanWorker, uploadWorker } from './workers.ts';

const jobId = 'bench';
const credentialLifeMs = 3_600_000;
const nanosecondsPerMs = 1e6;

function journalOfOneJob(folder: string): Journal {
  const journal = openJournal(join(folder, 'journal.db'));
  journal.addJob({
    id: jobId,
    accountId: 'bench',
    paths: [task.path],
    body: { name: 'Benchmark', type: '3DTILES', options: { sourceType: 'CITYGML' } },
    acceptForecast: true,
    createdAt: systemClock.now(),
  });
  return journal;
}

// The command does the same.
keepYoungSmall();
const task = readTask();
const folder = await mkdtemp(join(tmpdir(), 'tilelift-bench-journal-'));
try {
  prepareUpload(uploadWorker);
  const journal = journalOfOneJob(folder);
  const { signal } = new AbortController();
  const { files } = await scanSource([task.path], { signal, worker: scanWorker });
  const job = {
    id: jobId,
    apply: (event: EventData) => journal.append(jobId, { ...event, at: systemClock.now() }),
  };
  const plan = await beginPlan(jobId, journal, signal);
  plan.add([...files]);
  plan.end(job, {});
  const storage = createStorageClient(
    { ...task, prefix: `${task.id}/` },
    { ca: [await readFile(task.caFile, 'utf8')], worker: uploadWorker },
  );
  const loop = task.watchLoop ? monitorEventLoopDelay({ resolution: 1 }) : null;
  loop?.enable();
  await transfer(filesToSend(journal, jobId), {
    storage,
    record: recordIn(journal),
    clock: systemClock,
    random: Math.random,
    signal,
    credentialsEndAt: systemClock.now() + credentialLifeMs,
  });
  loop?.disable();
  storage.close();
  journal.close();
  const report: OursReport = {
    peakBytes: peakBytes(),
    loop: loop && {
      p50: loop.percentile(50) / nanosecondsPerMs,
      p99: loop.percentile(99) / nanosecondsPerMs,
      max: loop.max / nanosecondsPerMs,
    },
  };
  console.log(JSON.stringify(report));
} finally {
  await rm(folder, { recursive: true, force: true });
}
