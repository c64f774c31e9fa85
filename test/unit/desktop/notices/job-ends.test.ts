import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchJobEnds } from '../../../../main/desktop/notices/job-ends.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { job } from '../stand-ins.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world(...firstJobs: JobSnapshot[]) {
  const jobsById = new Map(firstJobs.map((item) => [item.id, item]));
  const listeners = new Set<(id: string) => void>();
  const endedJobs = vi.fn();
  const get = vi.fn((id: string) => jobsById.get(id));
  const stop = watchJobEnds(
    {
      unfinishedJobs: () => [...jobsById.values()].filter(({ endedAt }) => endedAt === null),
      endedTotals: () =>
        new Map(
          firstJobs.flatMap(({ status, endedAt }) =>
            endedAt === null ? [] : [[status, { count: 1, lastAt: endedAt }]],
          ),
        ),
      get,
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    endedJobs,
  );
  return {
    get,
    stop,
    change: (id: string, facts: Partial<JobSnapshot>) => {
      jobsById.set(id, job({ id, ...facts }));
      for (const listener of listeners) listener(id);
    },
    told: () => {
      vi.runAllTimers();
      return endedJobs.mock.calls.map(([endedJob]) => `${endedJob.id} ${endedJob.status}`);
    },
  };
}

describe('job ends', () => {
  it('job ends: emits the end of a job once', () => {
    const { change, told: endedJobs } = world(job());
    change('a', { status: 'tiling' });
    expect(endedJobs()).toEqual([]);
    change('a', { status: 'complete', endedAt: 5 });
    change('a', { status: 'complete', endedAt: 5, percentComplete: 100 });
    expect(endedJobs()).toEqual(['a complete']);
    change('a', { status: 'complete', endedAt: 5 });
    expect(endedJobs()).toEqual(['a complete']);
  });

  it('job ends: emits the end of a job whose start it did not see', () => {
    const { change, told: endedJobs } = world();
    change('b', { status: 'failed', endedAt: 5 });
    expect(endedJobs()).toEqual(['b failed']);
  });

  it('job ends: ignores jobs that had already ended', () => {
    const { change, told: endedJobs } = world(job({ status: 'failed', endedAt: 5 }));
    change('a', { status: 'failed', endedAt: 5 });
    expect(endedJobs()).toEqual([]);
  });

  it('job ends: emits again after a retry, however quickly it ends', () => {
    const { change, told: endedJobs } = world(job({ status: 'failed', endedAt: 5 }));
    change('a', { status: 'uploading', endedAt: null });
    change('a', { status: 'failed', endedAt: 9 });
    expect(endedJobs()).toEqual(['a failed']);
  });

  it('job ends: reads jobs at most four times a second', () => {
    const { change, get } = world(job());
    for (let ms = 0; ms < 1_000; ms += 1) {
      change('a', { bytesDone: ms });
      vi.advanceTimersByTime(1);
    }
    expect(get.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it('watchJobEnds() stops emitting after stop()', () => {
    const { change, told: endedJobs, stop } = world(job());
    change('a', { status: 'complete', endedAt: 5 });
    stop();
    expect(endedJobs()).toEqual([]);
  });
});
