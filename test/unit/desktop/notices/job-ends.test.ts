import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchJobEnds } from '../../../../main/desktop/notices/job-ends.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { job } from '../stand-ins.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function world(...first: JobSnapshot[]) {
  const known = new Map(first.map((one) => [one.id, one]));
  const listeners = new Set<(id: string) => void>();
  const told = vi.fn();
  const get = vi.fn((id: string) => known.get(id));
  const stop = watchJobEnds(
    {
      unfinished: () => [...known.values()].filter(({ endedAt }) => endedAt === null),
      endedTotals: () =>
        new Map(
          first.flatMap(({ status, endedAt }) =>
            endedAt === null ? [] : [[status, { count: 1, lastAt: endedAt }]],
          ),
        ),
      get,
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    told,
  );
  return {
    get,
    stop,
    change: (id: string, facts: Partial<JobSnapshot>) => {
      known.set(id, job({ id, ...facts }));
      for (const listener of listeners) listener(id);
    },
    told: () => {
      vi.runAllTimers();
      return told.mock.calls.map(([one]) => `${one.id} ${one.status}`);
    },
  };
}

describe('the end of a job', () => {
  it('is told once', () => {
    const { change, told } = world(job());
    change('a', { status: 'tiling' });
    expect(told()).toEqual([]);
    change('a', { status: 'complete', endedAt: 5 });
    change('a', { status: 'complete', endedAt: 5, percentComplete: 100 });
    expect(told()).toEqual(['a complete']);
    change('a', { status: 'complete', endedAt: 5 });
    expect(told()).toEqual(['a complete']);
  });

  it('is told of a job that nobody saw begin', () => {
    const { change, told } = world();
    change('b', { status: 'failed', endedAt: 5 });
    expect(told()).toEqual(['b failed']);
  });

  it('is not told of jobs that had ended before', () => {
    const { change, told } = world(job({ status: 'failed', endedAt: 5 }));
    change('a', { status: 'failed', endedAt: 5 });
    expect(told()).toEqual([]);
  });

  it('is told again when the job was tried again, however quickly it ended then', () => {
    const { change, told } = world(job({ status: 'failed', endedAt: 5 }));
    change('a', { status: 'uploading', endedAt: null });
    change('a', { status: 'failed', endedAt: 9 });
    expect(told()).toEqual(['a failed']);
  });

  it('costs no more than four looks a second', () => {
    const { change, get } = world(job());
    for (let ms = 0; ms < 1_000; ms += 1) {
      change('a', { bytesDone: ms });
      vi.advanceTimersByTime(1);
    }
    expect(get.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it('is told no more after a stop', () => {
    const { change, told, stop } = world(job());
    change('a', { status: 'complete', endedAt: 5 });
    stop();
    expect(told()).toEqual([]);
  });
});
