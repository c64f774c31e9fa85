import { describe, expect, it } from 'vitest';
import { makeJob } from '../../../gallery/samples/sample-jobs.ts';
import type { ErrorRecord, JobStatus, JobView } from '../../../preload/contract.ts';
import { errorMessage } from '../../../renderer/say.ts';
import { actionWord, menuWord, rowActions } from '../../../renderer/state/uploads/job-actions.ts';
import {
  announce,
  describeProgress,
  describeSource,
  describeState,
  isWorking,
  summarize,
} from '../../../renderer/words/job-row.ts';
import { hasEnded, jobStatuses } from '../../../shared/job-status.ts';

const now = new Date(2026, 10, 20, 14, 30).getTime();
const minute = 60_000;
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

const unreachableError: ErrorRecord = {
  code: 'storage-unreachable',
  subject: 's3.example.com',
  retryable: true,
};

function job(status: JobStatus, part: Partial<JobView> = {}): JobView {
  return makeJob({
    id: 'a',
    status,
    createdAt: now - 60 * minute,
    fileCount: 1284,
    bytesTotal: 18.6e9,
    bytesDone: 11.7e9,
    sourceType: '3D_CAPTURE',
    ...part,
  });
}

const words = (view: JobView) => {
  const { word, tone, detail } = describeState(view, now);
  return [plain(word), tone, plain(detail)];
};
const farDetail = (view: JobView) => plain(describeProgress(view, now).text);

it('a job row names the kind of data, files and size', () => {
  expect(plain(describeSource(job('uploading')))).toBe('Photogrammetry · 1,284 files · 18.6 GB');
  expect(describeSource(job('creating', { fileCount: null, bytesTotal: null, sourceType: 'MY_OWN' }))).toBe(
    'MY_OWN',
  );
});

it('a job row shows the progress of an upload', () => {
  const view = job('uploading', { bytesPerSecond: 41.8e6, secondsLeft: 167 });
  expect(words(view)).toEqual(['Uploading · 62 %', 'accent', '2 min 47 s left']);
  expect(farDetail(view)).toBe('11.7 of 18.6 GB · 41.8 MB/s');
});

it('a job row explains why an upload stopped and that it resumes automatically', () => {
  const view = job('uploading', { error: unreachableError });
  expect(words(view)).toEqual(['Uploading · 62 %', 'waiting', 'trying again automatically']);
  expect(farDetail(view)).toBe(errorMessage(unreachableError));
});

it('a job row shows 100 % only when storage has confirmed everything', () => {
  expect(words(job('uploading', { bytesDone: 18.6e9 - 1 }))[0]).toBe('Uploading · 99 %');
  expect(describeProgress(job('completing', { bytesDone: 18.6e9 }), now).fraction).toBe(1);
});

it('a job row shows sent bytes faintly until they are confirmed', () => {
  const view = job('uploading', { bytesTotal: 10e9, bytesDone: 4e9, bytesOnWire: 1e9 });
  expect(describeProgress(view, now)).toMatchObject({ fraction: 0.4, reached: 0.5 });
});

it('a job row keeps the bar full when tiling starts', () => {
  const view = job('tiling', { bytesDone: 18.6e9, uploadedAt: now, percentComplete: 0 });
  expect(describeProgress(view, now)).toMatchObject({ fraction: 0, reached: 1 });
});

it('a job row does not divide by the size of an empty source', () => {
  expect(words(job('uploading', { bytesTotal: 0, bytesDone: 0 }))[0]).toBe('Uploading · 0 %');
});

it('a job row shows confirmed bytes and the credential life while paused', () => {
  const view = job('paused', { credentialsEndAt: now + 22 * minute });
  expect(words(view)).toEqual(['Paused by you', 'waiting', 'credentials expire in 22 min']);
  expect(farDetail(view)).toBe('11.7 of 18.6 GB uploaded');
  expect(words(job('paused', { credentialsEndAt: now - 1 }))[2]).toBe('credentials have expired');
});

it('a job row shows a status that the contract does not name unchanged', () => {
  const view = job('tiling', { assetStatus: 'REBALANCING', percentComplete: 71.6 });
  expect(words(view)).toEqual(['REBALANCING', 'tiling', '71 %']);
});

it.each(['creating', 'completing', 'tiling'] as const)(
  'a job row announces a retry during a disruption while %s',
  (status) => {
    const error = {
      code: 'foreign-answer',
      message: 'The response did not come from https://api.example.com.',
      advice: '',
      retryable: true,
    } as const;
    const view = job(status, { error, assetStatus: status === 'tiling' ? 'IN_PROGRESS' : null });
    expect(words(view).slice(1)).toEqual(['waiting', 'trying again automatically']);
    expect(describeProgress(view, now).text).toBe(errorMessage(error));
  },
);

it('a job row distinguishes tiling from its preparation', () => {
  expect(words(job('tiling', { assetStatus: 'IN_PROGRESS', percentComplete: 38, assetId: 7 }))).toEqual([
    'Tiling · 38 %',
    'tiling',
    'asset 7',
  ]);
  expect(words(job('tiling', { assetStatus: 'NOT_STARTED' }))).toEqual([
    'Tiling',
    'tiling',
    'waiting for a tiler',
  ]);
  expect(words(job('tiling', { assetStatus: 'IN_PROGRESS', progressMessage: 'Reading' }))[2]).toBe('Reading');
});

it('a job row shows how long a finished job took', () => {
  const view = job('complete', {
    uploadedAt: now - 53 * minute,
    sendingMs: 7 * minute,
    endedAt: now - 5 * minute,
    assetId: 2481655,
  });
  expect(words(view)).toEqual(['Complete', 'complete', 'asset 2481655']);
  expect(farDetail(view)).toBe('Uploaded in 7 min · tiled in 48 min');
});

it('a job row shows no duration of an upload that waited', () => {
  const view = job('complete', { uploadedAt: now - 53 * minute, endedAt: now - 5 * minute });
  expect(farDetail(view)).toBe('Uploaded · tiled in 48 min');
});

it('a job row does not say that the service gave no reason next to its reason', () => {
  const remote = { status: 200, message: 'Internal failure 0x80.' };
  const view = job('error', { error: { code: 'tiling-error', retryable: false, remote } });
  expect(farDetail(view)).toBe('“Internal failure 0x80.” · Tiling failed on the service.');
});

it('a job row shows the service’s message before ours on errors', () => {
  const error = { code: 'data-error' as const, retryable: false, remote: { message: 'no reference system' } };
  const view = job('data-error', { error, endedAt: now });
  expect(words(view)).toEqual(['Data error', 'error', '14:30']);
  expect(farDetail(view)).toBe('“no reference system” · The service found a problem in the data.');
});

it('a job row has a word for every status', () => {
  const firstWords = jobStatuses.map((status) => words(job(status))[0]?.split(' · ')[0]);
  expect(new Set(firstWords).size).toBe(jobStatuses.length);
  for (const status of jobStatuses) expect(hasEnded(status) && isWorking(job(status))).toBe(false);
});

describe('the row of a waiting job', () => {
  const laterMs = now + 22 * minute;

  it.each([
    ['turn', 'uploading', ['Waiting · 62 %', 'waiting', 'credentials expire in 22 min']],
    ['turn', 'queued', ['Queued', 'neutral', 'since 13:30']],
    ['network', 'uploading', ['Offline · 62 %', 'waiting', 'resumes when the network is back']],
    ['network', 'completing', ['Offline', 'waiting', 'resumes when the network is back']],
    ['sign-in', 'queued', ['Sign-in required', 'waiting', 'starts after sign-in']],
    ['sign-in', 'tiling', ['Sign-in required', 'waiting', 'resumes after sign-in']],
    ['confirmation', 'creating', ['Needs your confirmation', 'waiting', 'no asset created yet']],
  ] as const)(
    'the row of a waiting job shows that it waits for the %s while %s',
    (waitingFor, status, expected) => {
      expect(words(job(status, { waitingFor, credentialsEndAt: laterMs }))).toEqual(expected);
    },
  );

  it('the row of a waiting job says that confirmed bytes are kept', () => {
    expect(farDetail(job('paused', { bytesDone: 0 }))).toBe('Nothing uploaded yet');
    expect(farDetail(job('uploading', { waitingFor: 'network' }))).toBe('11.7 of 18.6 GB uploaded');
    expect(farDetail(job('creating', { waitingFor: 'turn' }))).toBe('Starts after the current upload');
  });

  it('the row of a waiting job offers confirmation and counts as waiting', () => {
    const askingJob = job('creating', { waitingFor: 'confirmation', actions: ['confirm', 'cancel'] });
    expect(rowActions(askingJob)).toEqual({ primary: 'confirm', menu: ['split', 'cancel'] });
    expect(rowActions({ ...askingJob, byRule: true }).menu).toEqual(['cancel']);
    expect(plain(summarize([askingJob, job('uploading'), job('queued', { waitingFor: 'turn' })]))).toBe(
      '2 under way (1 waiting) · 1 queued',
    );
  });

  it('the row of a waiting job warns when an upload needs longer than its credentials live', () => {
    const view = job('uploading', { secondsLeft: 1800, credentialsEndAt: laterMs });
    expect(words(view)).toEqual([
      'Uploading · 62 %',
      'waiting',
      '30 min left · credentials expire in 22 min',
    ]);
    expect(words({ ...view, secondsLeft: 1200 })).toEqual(['Uploading · 62 %', 'accent', '20 min left']);
  });
});

it('rowActions() puts the most suitable action on the row and the rest in the menu', () => {
  expect(rowActions(job('uploading', { actions: ['pause', 'cancel'] }))).toEqual({
    primary: 'pause',
    menu: ['cancel'],
  });
  expect(rowActions(job('paused', { actions: ['cancel', 'resume'] })).primary).toBe('resume');
  expect(rowActions(job('failed', { actions: ['start-again', 'try-again', 'remove'] })).primary).toBe(
    'try-again',
  );
});

it('rowActions() opens the asset first while tiling, and views or shares it when complete', () => {
  expect(rowActions(job('tiling', { assetId: 7, actions: ['remove'] }))).toEqual({
    primary: 'open-asset',
    menu: ['copy-id', 'remove'],
  });
  expect(rowActions(job('complete', { assetId: 7, actions: ['remove'] }))).toEqual({
    primary: 'view-asset',
    menu: ['open-asset', 'copy-id', 'share', 'remove'],
  });
});

it('rowActions() offers no action that the main process forbids', () => {
  expect(rowActions(job('completing'))).toEqual({ primary: null, menu: [] });
});

it('actions have a brief name on the row and an exact one in the menu', () => {
  expect(actionWord('cancel')).toBe('Cancel…');
  expect(menuWord('cancel')).toBe('Cancel upload…');
  expect(menuWord('try-again')).toBe('Try again, keeping what is in storage');
  expect(menuWord('start-again')).toBe('Start again, sending everything');
  expect(menuWord('pause')).toBe(actionWord('pause'));
});

it('a list of jobs is summarized in one line', () => {
  expect(summarize([])).toBe('');
  expect(plain(summarize([job('complete'), job('cancelled')]))).toBe('2 uploads');
  const busy = [job('uploading', { bytesPerSecond: 40e6 }), job('tiling'), job('queued'), job('complete')];
  expect(plain(summarize(busy))).toBe('2 under way · 40.0 MB/s · 5 min 45 s left · 1 queued');
  expect(summarize(busy).split(' ')).toHaveLength(4);
  const failures = [job('failed'), job('data-error'), job('complete')];
  expect(plain(summarize(failures))).toBe('3 uploads · 2 failed');
  expect(plain(summarize(failures, { count: 200, bytes: 0, failed: 10 }))).toBe('203 uploads · 12 failed');
  expect(plain(summarize([...busy, job('failed')]))).toBe(
    '2 under way · 40.0 MB/s · 5 min 45 s left · 1 queued · 1 failed',
  );
});

it('a list of jobs announces state changes without percentages', () => {
  expect(announce(job('uploading'), now)).toBe('LoD2 Altstadt: Uploading');
  expect(announce(job('failed', { error: unreachableError }), now)).toBe(
    `LoD2 Altstadt: Failed. ${errorMessage(unreachableError)}`,
  );
});

it('a job row names who does not respond and the time of the retry', () => {
  const error = { code: 'storage-unreachable', subject: 's3.example.com', retryable: true } as const;
  const waitingView = job('uploading', { waitingFor: 'network', error, nextTryAt: now + 12_000 });
  expect(plain(describeState(waitingView, now).detail)).toBe('s3.example.com · next try in 12 s');
  expect(describeState(waitingView, now).state).toBe('Storage not answering');
  expect(plain(describeState(waitingView, now + 12_000).detail)).toBe('s3.example.com · trying now');
  expect(describeState({ ...waitingView, error: { ...error, code: 'service-unreachable' } }, now).state).toBe(
    'Service not answering',
  );
  expect(describeState(waitingView, now, false).state).toBe('Offline');
  const refusedJob = job('creating', {
    error: { code: 'service-unavailable', retryable: true },
    nextTryAt: now + 30_000,
  });
  expect(plain(describeState(refusedJob, now).detail)).toBe('next try in 30 s');
  const pausing = job('uploading', {
    error: { ...error, code: 'storage-failed' },
    nextTryAt: now + 5 * minute,
  });
  expect(words(pausing)).toEqual(['Uploading · 62 %', 'waiting', 'next try in 5 min']);
});

it('a job row shows no durations for a quick upload and quick tiling', () => {
  const quickJob = job('complete', {
    createdAt: now,
    uploadedAt: now + 300,
    sendingMs: 300,
    endedAt: now + 9_000,
  });
  expect(farDetail(quickJob)).toBe('Uploaded in under 1 s · tiled in under 20 s');
});
