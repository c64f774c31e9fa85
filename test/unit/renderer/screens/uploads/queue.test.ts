import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeJob, queuedJobs } from '../../../../../gallery/samples/sample-jobs.ts';
import {
  allSelected,
  nothingSelected,
  selectedTo,
  stillThere,
  toggled,
} from '../../../../../renderer/screens/uploads/selection.ts';
import { commonActions, sweptBy } from '../../../../../renderer/state/uploads/queue-actions.ts';
import { placeOf, queueOf, queueRows, stepOf } from '../../../../../renderer/state/uploads/queue-rows.ts';
import { summarize } from '../../../../../renderer/words/job-row.ts';
import { jobStatuses } from '../../../../../shared/job-status.ts';
import { movedPlaces } from '../../../../../shared/queue.ts';

const job = (id: string, part: Partial<ReturnType<typeof makeJob>> = {}) =>
  makeJob({ id, status: 'queued', createdAt: 0, place: Number(id), ...part });

const plainSummary = (jobs: Parameters<typeof summarize>[0]) => summarize(jobs).replaceAll('\u00a0', ' ');

it('queueRows() lists active uploads, the queue and ended uploads, each with its count', () => {
  const jobs = [
    job('5', { status: 'complete' }),
    job('4'),
    job('3', { status: 'paused', isQueued: true }),
    job('2', { status: 'uploading', waitingFor: 'turn', bytesTotal: 5 }),
    job('1', { status: 'tiling' }),
  ];
  const rows = queueRows(jobs, jobs).map((row) =>
    row.kind === 'section' ? `${row.section} ${row.count}` : [row.id, row.place, row.count, row.turn],
  );
  expect(rows).toEqual([
    'under-way 1',
    ['1', 1, 1, null],
    'queued 3',
    ['2', 1, 3, 1],
    ['3', 2, 3, null],
    ['4', 3, 3, 2],
    'ended 1',
    ['5', 1, 1, null],
  ]);
});

it('queueRows() counts the complete queue when only part is shown, and has no heading for a single part', () => {
  const jobs = [job('1'), job('2'), job('3')];
  expect(queueRows(jobs.slice(2), jobs)).toMatchObject([{ id: '3', turn: 3, count: 1 }]);
});

it('the line above the uploads shows the counts of the parts below', () => {
  const anyJob = fc.record({
    status: fc.constantFrom(...jobStatuses),
    waitingFor: fc.constantFrom(null, 'turn', 'network', 'sign-in', 'confirmation', 'source', 'terrain'),
    isQueued: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyJob), (facts) => {
      // One of each part, so that each has a heading.
      const endedJobs = [job('998', { status: 'complete' }), job('997'), job('996', { status: 'uploading' })];
      const jobs = [...endedJobs, ...facts.map((fact, index) => job(String(index), fact))];
      const heads = queueRows(jobs, jobs).flatMap((row) => (row.kind === 'section' ? [row] : []));
      const words = plainSummary(jobs);
      const countsInText = [/(\d+) under way/, /(\d+) queued/].map((word) => Number(word.exec(words)?.[1]));
      expect(countsInText).toEqual(heads.slice(0, 2).map(({ count }) => count));
    }),
  );
});

it('the line above the uploads counts waiting uploads', () => {
  const sending = job('1', { status: 'uploading' });
  const askingJob = job('2', { status: 'creating', waitingFor: 'confirmation' });
  const pausedJob = job('3', { status: 'paused', isQueued: false });
  expect(plainSummary([sending, askingJob, pausedJob])).toBe('3 under way (2 waiting)');
  expect(plainSummary([askingJob, pausedJob])).toBe('2 under way (2 waiting)');
  expect(plainSummary([pausedJob])).toBe('1 paused');
});

describe('stepOf()', () => {
  const queue = ['1', '2', '3', '4', '5'].map((id) => job(id));
  const orderAfter = (ids: readonly string[], way: 'up' | 'down' | 'next') => {
    const move = stepOf(queue, new Set(ids), way);
    if (!move) return null;
    const places = movedPlaces(queue, new Set(move.ids), move.before);
    return queueOf(queue.map((item) => ({ ...item, place: places.get(item.id) ?? item.place })))
      .map(({ id }) => id)
      .join('');
  };

  it.each([
    [['3'], 'up', '13245'],
    [['3'], 'down', '12435'],
    [['3'], 'next', '31245'],
    [['4', '2'], 'next', '24135'],
    [['2', '4'], 'up', '24135'],
    [['2', '4'], 'down', '13524'],
    [['2', '3'], 'down', '14235'],
    [['4'], 'down', '12354'],
    [['1'], 'up', null],
    [['1', '2'], 'next', null],
    [['5'], 'down', null],
    [['9'], 'up', null],
  ] as const)('stepOf() moves %j %s to %s', (ids, way, expected) =>
    expect(orderAfter(ids, way)).toBe(expected),
  );

  it.each([
    [['2', '4'], '1', 1],
    [['2', '4'], '3', 2],
    [['1', '2'], null, 4],
    [['4'], 'gone', 1],
  ] as const)('stepOf() announces the same place for %j before %s as it reaches', (ids, successor, place) => {
    const places = movedPlaces(queue, new Set(ids), successor);
    const endedQueue = queueOf(
      queue.map((queuedJob) => ({ ...queuedJob, place: places.get(queuedJob.id) ?? queuedJob.place })),
    );
    expect(placeOf({ ids, before: successor }, queue)).toBe(place);
    expect(placeOf({ ids, before: successor }, endedQueue)).toBe(place);
    expect(endedQueue[place - 1]?.id).toBe(ids[0]);
  });
});

describe('a selection', () => {
  const order = ['a', 'b', 'c', 'd'];
  const ids = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].join('');

  it('a selection toggles an upload and extends from its anchor', () => {
    const singleSelection = toggled(nothingSelected, 'b');
    expect(ids(selectedTo(singleSelection, order, 'd'))).toBe('bcd');
    expect(ids(selectedTo(selectedTo(singleSelection, order, 'd'), order, 'a'))).toBe('ab');
    expect(ids(toggled(singleSelection, 'b'))).toBe('');
    expect(ids(selectedTo(nothingSelected, order, 'c'))).toBe('c');
    expect(ids(allSelected(order))).toBe('abcd');
  });

  it('a selection drops removed uploads', () => {
    expect(stillThere(toggled(allSelected(order), 'a'), ['a', 'b', 'd'])).toMatchObject({ anchor: 'a' });
    expect(ids(stillThere(allSelected(order), ['d', 'x']))).toBe('d');
  });
});

it('actions on several uploads are those that each allows', () => {
  const someJobs = [job('1', { actions: ['pause', 'cancel'] }), job('2', { actions: ['resume', 'cancel'] })];
  expect(commonActions(someJobs)).toEqual(['cancel']);
  expect(commonActions([])).toEqual([]);
});

it('actions on several uploads retry failed uploads without cancelled ones', () => {
  const jobs = [
    job('1', { status: 'failed', actions: ['try-again', 'start-again', 'remove'] }),
    job('2', { status: 'cancelled', actions: ['start-again', 'remove'] }),
    job('3', { status: 'paused', actions: ['resume', 'cancel'] }),
  ];
  expect(sweptBy('try-again', jobs).map(({ id }) => id)).toEqual(['1']);
  expect(sweptBy('remove', jobs).map(({ id }) => id)).toEqual(['1', '2']);
  expect(sweptBy('resume', jobs).map(({ id }) => id)).toEqual(['3']);
});

it('actions on several uploads retry every failure except of wrong data', () => {
  const actions = ['start-again', 'remove'] as const;
  const jobs = (['data-error', 'error', 'expired', 'failed'] as const).map((status) =>
    job(status, { status, actions }),
  );
  expect(sweptBy('try-again', jobs).map(({ id }) => id)).toEqual(['error', 'expired', 'failed']);
});

it('actions on several uploads find their jobs among three hundred', () =>
  expect(queueOf(queuedJobs(1e12, 300))).toHaveLength(150));
