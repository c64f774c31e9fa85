import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../../../preload/contract.ts';
import { type Batch, batchAfter, batchWords } from '../../../../../renderer/state/uploads/batch.ts';
import type { JobStatus } from '../../../../../shared/job-status.ts';

/** What each of these lists, one after the other, tells of. */
function told(...lists: readonly Readonly<Record<string, JobStatus>>[]) {
  let batch: Batch = new Set();
  return lists.map((list) => {
    const after = batchAfter(
      batch,
      Object.entries(list).map(([id, status]) => ({ id, status }) as JobView),
    );
    batch = after.batch;
    return after.ended.map(({ id }) => id).join(' ');
  });
}

describe('a batch of uploads', () => {
  it('is told of once, when its last one has ended, without those that came before', () => {
    expect(
      told(
        { old: 'complete', a: 'uploading', b: 'queued', c: 'queued' },
        { old: 'complete', a: 'complete', b: 'failed', c: 'tiling' },
        { old: 'complete', a: 'complete', b: 'failed', c: 'complete' },
        { old: 'complete', a: 'complete', b: 'failed', c: 'complete' },
      ),
    ).toEqual(['', '', 'a b c', '']);
  });

  it('is nothing where only one of it came to its end', () => {
    expect(told({ a: 'uploading', b: 'queued' }, { a: 'complete', b: 'cancelled' })).toEqual(['', '']);
  });

  it('begins anew after the last, and does not wait for what is paused', () => {
    expect(
      told(
        { a: 'tiling', b: 'uploading', p: 'paused' },
        { a: 'complete', b: 'complete', p: 'paused' },
        { a: 'complete', b: 'complete', p: 'uploading' },
        { a: 'complete', b: 'complete', p: 'complete' },
      ),
    ).toEqual(['', 'a b', '', '']);
  });

  it('counts nothing that was removed', () => {
    expect(told({ a: 'uploading', b: 'uploading' }, { a: 'complete' })).toEqual(['', '']);
  });

  it('is not made of what had ended when the window was opened', () => {
    expect(told({ a: 'complete', b: 'complete' })).toEqual(['']);
  });
});

describe('the words for a batch', () => {
  const words = (...statuses: readonly JobStatus[]) =>
    batchWords(statuses.map((status) => ({ status }) as JobView));

  it('count what failed beside what is complete', () => {
    expect(words('complete', 'complete')).toBe('2 complete');
    expect(words('complete', 'failed', 'data-error', 'complete')).toBe('2 complete, 2 failed');
    expect(words('expired', 'error')).toBe('2 failed');
  });
});
