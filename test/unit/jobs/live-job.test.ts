import { describe, expect, it } from 'vitest';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../../main/errors.ts';
import type { JobEvent } from '../../../main/jobs/events.ts';
import { historyOf } from '../../../main/jobs/history.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import { snapshotOf } from '../../../main/jobs/service/snapshot.ts';
import { LiveJob } from '../../../main/jobs/steps/live-job.ts';
import { saidLines } from '../../said.ts';
import { jobRecord } from './job-record.ts';

const onComplete = { method: 'POST', url: 'https://api.test/complete', fields: {} };
const toUploading: readonly JobEvent[] = [
  { kind: 'started', at: 1 },
  { kind: 'scanned', at: 2, files: 1, bytes: 1e9, parts: 1_000 },
  { kind: 'asset-created', at: 3, assetId: 42, credentialsEndAt: 9e9, onComplete },
];
const record = jobRecord();

function uploadingJob() {
  let now = 1_000_000;
  const journal = openJournal(':memory:');
  journal.addJob(record);
  for (const event of toUploading) journal.append('a', event);
  const clock = { now: () => now, elapsed: () => now, sleep: async () => {} };
  const job = new LiveJob(record, toUploading, { journal, clock, onChange: () => {} });
  let bytes = 0;
  const texts = () =>
    saidLines(historyOf(journal.events('a').slice(toUploading.length))).map(({ text }) =>
      text.replaceAll('\u00a0', ' '),
    );
  return {
    job,
    journal,
    texts,
    pass: (ms: number) => {
      now += ms;
    },
    fail: (code: ErrorCode = 'storage-failed') =>
      job.reportTrouble(new TileliftError(code, { subject: 's3.test' })),
    progress: () => {
      bytes += 1_000;
      job.showProgress(
        { partsSentAgain: 0 },
        {
          acknowledged: bytes,
          onWire: 0,
          bytesPerSecond: null,
          partsDone: 1,
          partsOnWire: 0,
          partsSentAgain: 0,
          concurrency: 2,
          waitingForNetwork: false,
        },
      );
    },
  };
}

describe('LiveJob in a disruption', () => {
  it('G20: writes one line for fifty passing failures with progress between them', () => {
    const { job, texts, pass: passTime, fail, progress, journal } = uploadingJob();
    for (let count = 0; count < 50; count++) {
      fail(count % 2 === 0 ? 'storage-failed' : 'storage-unreachable');
      expect(job.trouble).not.toBeNull();
      passTime(3_000);
      progress();
      expect(job.trouble).toBeNull();
      passTime(3_000);
    }
    expect(texts()).toHaveLength(1);
    passTime(60_000);
    progress();
    expect(texts()).toHaveLength(1);
    // Fifty times six seconds, less the last three.
    expect(texts()[0]).toMatch(/s3\.test.* Resumed after 4 min 57 s\.$/);
    expect(journal.events('a')).toEqual(job.events);
  });

  it('LiveJob in a disruption writes another line after a minute without failures', () => {
    const { texts, pass: passTime, fail, progress } = uploadingJob();
    fail();
    passTime(20_000);
    progress();
    passTime(61_000);
    fail();
    expect(texts()).toEqual([
      expect.stringMatching(/Resumed after 20 s\.$/),
      expect.stringMatching(/Trying again\.$/),
    ]);
  });

  it('LiveJob in a disruption reports the duration when the job reaches its next state, but not when it fails', () => {
    const disrupted = uploadingJob();
    disrupted.fail();
    disrupted.pass(120_000);
    disrupted.job.apply({ kind: 'upload-finished' });
    expect(disrupted.texts()[0]).toMatch(/Resumed after 2 min\.$/);

    const otherJob = uploadingJob();
    otherJob.fail();
    otherJob.pass(120_000);
    otherJob.job.apply({ kind: 'cancelled' });
    expect(otherJob.texts()).toEqual([expect.stringMatching(/Trying again\.$/), 'Cancelled']);
  });

  it('LiveJob in a disruption shows a pause of more than 30 s and its end while other parts progress', () => {
    const { job, pass: passTime, progress } = uploadingJob();
    const end = 1_000_000 + 60_000;
    job.reportTrouble(new TileliftError('storage-failed', { subject: 'a.tif' }), 60_000);
    for (let second = 0; second < 50; second += 10) {
      passTime(10_000);
      progress();
      expect(job.trouble?.code).toBe('storage-failed');
      expect(job.nextTryAt).toBe(end);
    }
    passTime(10_000);
    progress();
    expect(job.trouble).toBeNull();
    expect(job.nextTryAt).toBeNull();
  });

  it('LiveJob in a disruption shows the next of several long pauses, and none after "Try now"', () => {
    const { job, pass: passTime, progress } = uploadingJob();
    job.reportTrouble(new TileliftError('storage-failed'), 60_000);
    job.reportTrouble(new TileliftError('foreign-answer'), 40_000);
    progress();
    expect([job.trouble?.code, job.nextTryAt]).toEqual(['foreign-answer', 1_040_000]);
    passTime(45_000);
    progress();
    expect([job.trouble?.code, job.nextTryAt]).toEqual(['storage-failed', 1_060_000]);
    job.tryNow();
    progress();
    expect(job.trouble).toBeNull();
  });

  it('LiveJob in a disruption reports separately that it waits for a sign-in', () => {
    const { job, texts, fail } = uploadingJob();
    fail('service-unreachable');
    job.wait(new TileliftError('not-signed-in'));
    expect(texts()).toHaveLength(2);
  });
});

const anHour = 3_600_000;
const passing = toErrorRecord(new TileliftError('storage-failed'));
const failed: JobEvent = { kind: 'failed', at: 5, error: passing };
it.each<[string, readonly JobEvent[], number | undefined]>([
  ['only waited in the queue', [], 1_000],
  ['had trouble', [{ kind: 'troubled', at: 5, error: passing }], undefined],
  ['was taken up after a restart', [{ kind: 'taken-up', at: 5 }], undefined],
  [
    'was paused',
    [
      { kind: 'paused', at: 5 },
      { kind: 'resumed', at: 7 },
    ],
    undefined,
  ],
  ['was tried again', [failed, { kind: 'tried-again', at: 7 }], undefined],
])('the sending time of an upload that %s', (_what, between, sendingMs) => {
  const events = [...toUploading, ...between, { kind: 'upload-finished', at: 1_003 } as const];
  const later = events.map((event) => ({ ...event, at: event.at + anHour }));
  const options = {
    journal: openJournal(':memory:'),
    clock: { now: () => 0, elapsed: () => 0, sleep: async () => {} },
  };
  const job = new LiveJob(jobRecord('a', { createdAt: 0 }), later, { ...options, onChange: () => {} });
  expect(snapshotOf(job, true).sendingMs).toBe(sendingMs);
});
