import { expect, it, vi } from 'vitest';
import type { ChosenChanges } from '../../../main/inspect/changes/chosen-changes.ts';
import { addOnce } from '../../../main/jobs/add-once.ts';
import type { JobService, JobSnapshot, NewJob } from '../../../main/jobs/model.ts';

const wantedJob: NewJob = {
  accountId: 'me',
  paths: ['/data'],
  body: { name: 'Town', type: '3DTILES', options: { sourceType: 'RASTER_IMAGERY' } },
  acceptForecast: false,
};
const plain: ChosenChanges = { leftOut: [], assigned: [] };

/** Requests the source with `laterChanges` after an upload with `earlierChanges`. */
async function kindOf(earlierChanges: ChosenChanges | undefined, laterChanges: ChosenChanges | undefined) {
  const jobWith = (changes: ChosenChanges | undefined): NewJob => ({
    ...wantedJob,
    ...(changes && { changes }),
  });
  return kindOfCalls(jobWith(earlierChanges), jobWith(laterChanges));
}

async function kindOfCalls(earlierJob: NewJob, laterJob: NewJob) {
  const existingJob = { id: '1', status: 'complete', actions: [] } as unknown as JobSnapshot;
  const jobs = {
    ofSource: () => [existingJob],
    requestOf: () => earlierJob,
    forecast: () => null,
    add: () => '2',
    get: (id: string) => ({ ...existingJob, id }),
  } as unknown as JobService;
  return (await addOnce(jobs, laterJob, false)).kind;
}

const assignSystem = (epsg: number, ...files: string[]): ChosenChanges => ({
  leftOut: [],
  assigned: [{ epsg, files }],
});

it.each<[string, ChosenChanges | undefined, ChosenChanges | undefined]>([
  ['nothing was decided', undefined, undefined],
  ['nothing was decided, and that was written down', plain, undefined],
  ['the same system is assigned', assignSystem(25832, '/data/a.tif'), assignSystem(25832, '/data/a.tif')],
  [
    'in another order',
    { leftOut: ['/data/x', '/data/y'], assigned: [{ epsg: 1, files: ['a', 'b'] }], only: ['a', 'b', 'c'] },
    {
      ...{ leftOut: ['/data/y', '/data/x'], only: ['c', 'b', 'a'] },
      assigned: [
        { epsg: 2, files: ['b'] },
        { epsg: 1, files: ['b', 'a'] },
      ],
    },
  ],
])('reuses the asset when the same files are requested: %s', async (_, earlierChanges, laterChanges) => {
  expect(await kindOf(earlierChanges, laterChanges)).toBe('made');
});

it.each<[string, ChosenChanges | undefined, ChosenChanges | undefined]>([
  ['another coordinate system', assignSystem(25832, '/data/a.tif'), assignSystem(25833, '/data/a.tif')],
  ['none any more', assignSystem(25832, '/data/a.tif'), undefined],
  ['one now', undefined, assignSystem(25832, '/data/a.tif')],
  ['that of another file', assignSystem(25832, '/data/a.tif'), assignSystem(25832, '/data/b.tif')],
  ['one in words', plain, { ...plain, worded: [{ wkt: 'PROJCS["a"]', files: ['/data/a.tif'] }] }],
  ['fewer files', plain, { ...plain, leftOut: ['/data/a.tif'] }],
  ['some of them', plain, { ...plain, only: ['/data/a.tif'] }],
  ['a file beside them', plain, { ...plain, takenAlong: [{ folder: '/data', paths: ['/data/a.tfw'] }] }],
])('creates another asset when the request differs by %s', async (_, earlierChanges, laterChanges) => {
  expect(await kindOf(earlierChanges, laterChanges)).toBe('new');
});

const detectedJob = (sourceType: string, isKindDetected = true): NewJob => ({
  ...wantedJob,
  body: { ...wantedJob.body, type: 'TERRAIN', options: { sourceType } },
  ...(isKindDetected ? { isKindDetected: true } : {}),
});

it.each<[string, NewJob, NewJob, string]>([
  ['is no difference where no call named it', detectedJob('A'), detectedJob('B'), 'made'],
  ['is one where both named it', detectedJob('A', false), detectedJob('B', false), 'new'],
  ['is one where a later call names another', detectedJob('A'), detectedJob('B', false), 'new'],
  ['is none where a later call names the same', detectedJob('A'), detectedJob('A', false), 'made'],
])('the kind of data %s', async (_what, earlierJob, laterJob, kind) => {
  expect(await kindOfCalls(earlierJob, laterJob)).toBe(kind);
});

it.each(['creation-unusable', 'creation-unanswered'])(
  'requests another asset after %s only with --again',
  async (code) => {
    const failedJob = { id: '1', status: 'failed', error: { code }, actions: ['try-again'] };
    const add = vi.fn(() => '2');
    const jobs = {
      ofSource: () => [failedJob],
      requestOf: () => wantedJob,
      forecast: () => null,
      get: (id: string) => ({ ...failedJob, id }),
      add,
    } as unknown as JobService;

    expect(await addOnce(jobs, wantedJob, false)).toMatchObject({ kind: 'failed', job: { id: '1' } });
    expect(add).not.toHaveBeenCalled();
    expect(await addOnce(jobs, wantedJob, true)).toMatchObject({ kind: 'new', job: { id: '2' } });
  },
);
