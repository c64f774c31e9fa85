import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchWork } from '../../../main/desktop/launch/work.ts';
import type { JobSnapshot } from '../../../main/jobs/model.ts';
import { job, watched } from './stand-ins.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world(...firstJobs: JobSnapshot[]) {
  const jobsById = new Map(firstJobs.map((item) => [item.id, item]));
  const listeners: Record<'job' | 'rule', ((id: string) => void)[]> = { job: [], rule: [] };
  const listen = (kind: 'job' | 'rule') => (listener: (id: string) => void) => {
    listeners[kind].push(listener);
    return () => {
      listeners[kind] = listeners[kind].filter((candidate) => candidate !== listener);
    };
  };
  const get = vi.fn((id: string) => jobsById.get(id));
  const work = watchWork(
    { unfinishedJobs: () => [...jobsById.values()], get, onChange: listen('job') },
    { rules: () => [watched()], onChange: listen('rule') },
  );
  return {
    work,
    get,
    change: (id: string, facts: Partial<JobSnapshot> | null) => {
      if (facts) jobsById.set(id, job({ id, ...facts }));
      else jobsById.delete(id);
      for (const listener of listeners.job) listener(id);
    },
    changeRule: () => {
      for (const listener of listeners.rule) listener('rule');
    },
    ids: () => work.current().jobs.map(({ id }) => id),
  };
}

it('the current work contains every unfinished job and every rule', () => {
  const { ids, work } = world(
    job({ id: 'a' }),
    job({ id: 'b', status: 'complete' }),
    job({ id: 'c', status: 'paused' }),
  );
  expect([...ids()].sort()).toEqual(['a', 'c']);
  expect(work.current().rules).toHaveLength(1);
});

it('the current work includes a new job immediately', () => {
  const { ids, change } = world(job({ id: 'a' }));
  change('b', { status: 'queued' });
  expect(ids()).toEqual(['a', 'b']);
  change('a', { status: 'failed' });
  change('b', null);
  expect(ids()).toEqual([]);
  change('a', { status: 'uploading' });
  expect(ids()).toEqual(['a']);
});

it('the current work notifies at most twice a second', () => {
  const { work, change, changeRule } = world();
  const listener = vi.fn();
  work.onChange(listener);
  for (let ms = 0; ms < 2_000; ms += 1) {
    change('a', { bytesDone: ms });
    changeRule();
    vi.advanceTimersByTime(1);
  }
  expect(listener.mock.calls.length).toBeGreaterThanOrEqual(3);
  expect(listener.mock.calls.length).toBeLessThanOrEqual(4);
});

it('the current work reads only changed jobs', () => {
  const endedJobs = Array.from({ length: 1_000 }, (_, place) =>
    job({ id: String(place), status: 'complete' }),
  );
  const { work, change, get } = world(...endedJobs);
  change('a', {});
  work.current();
  work.current();
  expect(get.mock.calls).toEqual([['a']]);
});

it('the current work stops notifying after stop()', () => {
  const { work, change } = world();
  const listener = vi.fn();
  work.onChange(listener);
  change('a', {});
  work.stop();
  change('b', {});
  vi.advanceTimersByTime(10_000);
  expect(listener).not.toHaveBeenCalled();
});
