import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../../../preload/contract.ts';
import { type Batch, batchAfter, batchWords } from '../../../../../renderer/state/uploads/batch.ts';
import type { JobStatus } from '../../../../../shared/job-status.ts';

/** The announcement after each of these lists. */
function announcements(...lists: readonly Readonly<Record<string, JobStatus>>[]) {
  let batch: Batch = new Set();
  return lists.map((list) => {
    const batchResult = batchAfter(
      batch,
      Object.entries(list).map(([id, status]) => ({ id, status }) as JobView),
    );
    batch = batchResult.batch;
    return batchResult.ended.map(({ id }) => id).join(' ');
  });
}

it('a batch of uploads is announced once after its last end, without earlier jobs', () => {
  expect(
    announcements(
      { old: 'complete', a: 'uploading', b: 'queued', c: 'queued' },
      { old: 'complete', a: 'complete', b: 'failed', c: 'tiling' },
      { old: 'complete', a: 'complete', b: 'failed', c: 'complete' },
      { old: 'complete', a: 'complete', b: 'failed', c: 'complete' },
    ),
  ).toEqual(['', '', 'a b c', '']);
});

it('a batch of uploads is not announced when only one upload ended', () => {
  expect(announcements({ a: 'uploading', b: 'queued' }, { a: 'complete', b: 'cancelled' })).toEqual(['', '']);
});

it('a batch of uploads restarts after the last end and ignores paused uploads', () => {
  expect(
    announcements(
      { a: 'tiling', b: 'uploading', p: 'paused' },
      { a: 'complete', b: 'complete', p: 'paused' },
      { a: 'complete', b: 'complete', p: 'uploading' },
      { a: 'complete', b: 'complete', p: 'complete' },
    ),
  ).toEqual(['', 'a b', '', '']);
});

it('a batch of uploads ignores removed uploads', () => {
  expect(announcements({ a: 'uploading', b: 'uploading' }, { a: 'complete' })).toEqual(['', '']);
});

it('a batch of uploads ignores uploads that ended before the window opened', () => {
  expect(announcements({ a: 'complete', b: 'complete' })).toEqual(['']);
});

describe('batchWords()', () => {
  const words = (...statuses: readonly JobStatus[]) =>
    batchWords(statuses.map((status) => ({ status }) as JobView));

  it('batchWords() counts failed and complete uploads', () => {
    expect(words('complete', 'complete')).toBe('2 complete');
    expect(words('complete', 'failed', 'data-error', 'complete')).toBe('2 complete, 2 failed');
    expect(words('expired', 'error')).toBe('2 failed');
  });
});
