import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AssetBook } from '../assets/asset-book.ts';
import { tilingAt } from '../assets/tiling.ts';
import type { TilingCourse } from '../model.ts';

describe('contract 3.1, 3.2: tiling over time', () => {
  it('tiling over time: passes NOT_STARTED and IN_PROGRESS to COMPLETE with rising progress', () => {
    const course: TilingCourse = { end: 'COMPLETE' };
    expect(tilingAt(course, 0, 1000)).toEqual({ status: 'NOT_STARTED', percentComplete: 0 });
    expect(tilingAt(course, 499, 1000)).toEqual({ status: 'NOT_STARTED', percentComplete: 0 });
    expect(tilingAt(course, 500, 1000)).toMatchObject({ status: 'IN_PROGRESS', percentComplete: 0 });
    expect(tilingAt(course, 750, 1000)).toMatchObject({ status: 'IN_PROGRESS', percentComplete: 50 });
    expect(tilingAt(course, 999, 1000)).toMatchObject({ status: 'IN_PROGRESS', percentComplete: 99 });
    expect(tilingAt(course, 1000, 1000)).toEqual({ status: 'COMPLETE', percentComplete: 100 });
  });

  it.each(['DATA_ERROR', 'ERROR'] as const)('tiling over time: ends tiling in %s with a message', (end) => {
    const view = tilingAt({ end, error: 'No reference system.' }, 1000, 1000);
    expect(view).toEqual({ status: end, percentComplete: 99, error: 'No reference system.' });
  });

  it('tiling over time: passes through any configured statuses', () => {
    const course: TilingCourse = { end: 'COMPLETE', through: ['IN_PROGRESS', 'POLISHING', 'PACKING'] };
    const statuses = [0, 333, 334, 667, 1000].map((elapsedMs) => tilingAt(course, elapsedMs, 1000).status);
    expect(statuses).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'POLISHING', 'PACKING', 'COMPLETE']);
  });

  it('tiling over time never runs backwards and always ends, for any course', () => {
    const course = fc.record({
      end: fc.constantFrom('COMPLETE' as const, 'DATA_ERROR' as const, 'ERROR' as const),
      through: fc.array(fc.constantFrom('NOT_STARTED', 'IN_PROGRESS', 'OTHER'), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        course,
        fc.nat(5000),
        fc.nat(6000),
        fc.nat(6000),
        (tilingCourse, tilingMs, firstMs, secondMs) => {
          const earlyView = tilingAt(tilingCourse, Math.min(firstMs, secondMs), tilingMs);
          const lateView = tilingAt(tilingCourse, Math.max(firstMs, secondMs), tilingMs);
          expect(lateView.percentComplete).toBeGreaterThanOrEqual(earlyView.percentComplete);
          expect(lateView.percentComplete === 100).toBe(lateView.status === 'COMPLETE');
          expect(tilingAt(tilingCourse, tilingMs, tilingMs).status).toBe(tilingCourse.end);
        },
      ),
    );
  });
});

describe('contract 3.2: the asset book', () => {
  it('the asset book: starts tiling once and keeps the course of that moment', () => {
    let now = 0;
    const book = new AssetBook(1000, { now: () => now, steady: () => now });
    const { id } = book.add({ name: 'x', type: 'IMAGERY' });
    book.setTiling({ end: 'DATA_ERROR', error: 'why' });
    expect(book.beginTiling(id, 5)).toBe(true);
    book.setTiling({ end: 'COMPLETE' });
    expect(book.beginTiling(id, 9)).toBe(false);
    now = 1000;
    expect(book.get(id)).toMatchObject({ status: 'DATA_ERROR', error: 'why', bytes: 5 });
    expect(book.beginTiling(id, 9)).toBe(false);
  });

  it('the asset book: uses the time of its course, if it has one', () => {
    let now = 0;
    const book = new AssetBook(1000, { now: () => now, steady: () => now });
    const { id } = book.add({ name: 'x', type: 'IMAGERY' });
    book.setTiling({ end: 'COMPLETE', ms: 5000 });
    book.beginTiling(id, 5);
    now = 4999;
    expect(book.get(id)).toMatchObject({ status: 'IN_PROGRESS' });
    now = 5000;
    expect(book.get(id)).toMatchObject({ status: 'COMPLETE' });
  });

  it('the asset book: starts no tiling of assets that await no files', () => {
    const book = new AssetBook(1000, { now: () => 0, steady: () => 0 });
    const { id } = book.add({ name: 'x', type: 'IMAGERY', status: 'COMPLETE' });
    expect(book.beginTiling(id, 1)).toBe(false);
    expect(book.get(id)).toMatchObject({ status: 'COMPLETE', bytes: 0 });
  });
});
