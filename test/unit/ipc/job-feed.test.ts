import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { feedJobs } from '../../../main/ipc/handlers/feeds.ts';
import type { WindowVisibility } from '../../../main/ipc/window-visibility.ts';
import type { JobService, JobSnapshot } from '../../../main/jobs/model.ts';
import type { Events } from '../../../preload/contract.ts';

describe('feedJobs()', () => {
  let listener: (id: string) => void = () => {};
  const jobsById = new Map<string, JobSnapshot>();
  const jobs = {
    get: (id: string) => jobsById.get(id),
    onChange: (given: (id: string) => void) => {
      listener = given;
      return () => {
        listener = () => {};
      };
    },
  } as Partial<JobService> as JobService;

  const inSight: WindowVisibility = { state: () => 'seen', onChange: () => () => {} };

  beforeEach(() => {
    vi.useFakeTimers();
    jobsById.clear();
    for (const id of ['a', 'b']) jobsById.set(id, { paths: [] as readonly string[], id } as JobSnapshot);
  });
  afterEach(() => void vi.useRealTimers());

  it('feedJobs() emits only changes, at most ten times a second, and the last state of each job', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const happening = fc.record({ id: fc.constantFrom(...ids), after: fc.integer({ min: 0, max: 60 }) });
    fc.assert(
      fc.property(fc.array(happening, { minLength: 20, maxLength: 120 }), (happenings) => {
        const page = new Map<string, JobSnapshot>();
        const sentAt: number[] = [];
        const touchedIds = new Set<string>();
        for (const id of ids)
          jobsById.set(id, { paths: [] as readonly string[], id, bytesDone: 0 } as JobSnapshot);
        const stop = feedJobs(jobs, inSight, ({ changed, removed: removedIds }) => {
          sentAt.push(Date.now());
          const notifiedIds = [...changed.map(({ id }) => id), ...removedIds];
          expect(new Set(notifiedIds).size).toBe(notifiedIds.length);
          expect(new Set(notifiedIds)).toEqual(touchedIds);
          touchedIds.clear();
          for (const job of changed) page.set(job.id, job as JobSnapshot);
        });
        let bytesDone = 0;
        const changedEver = new Set<string>();
        for (const { id, after: delayMs } of happenings) {
          vi.advanceTimersByTime(delayMs);
          jobsById.set(id, { paths: [] as readonly string[], id, bytesDone: ++bytesDone } as JobSnapshot);
          touchedIds.add(id);
          changedEver.add(id);
          listener(id);
        }
        vi.advanceTimersByTime(100);
        stop();
        expect([...page.keys()].toSorted()).toEqual([...changedEver].toSorted());
        for (const [id, job] of page) expect(job).toEqual(jobsById.get(id));
        for (const at of sentAt)
          expect(
            sentAt.filter((otherTime) => otherTime >= at && otherTime < at + 1000).length,
          ).toBeLessThanOrEqual(10);
      }),
    );
  });

  it('feedJobs() omits an unchanged job', () => {
    const sentChanges: Events['jobs.changed'][] = [];
    feedJobs(jobs, inSight, (event) => sentChanges.push(event));
    listener('a');
    vi.advanceTimersByTime(100);
    listener('a');
    vi.advanceTimersByTime(100);
    expect(sentChanges).toHaveLength(1);
    jobsById.set('a', { paths: [] as readonly string[], id: 'a', bytesDone: 1 } as JobSnapshot);
    listener('a');
    vi.advanceTimersByTime(100);
    expect(sentChanges).toHaveLength(2);
  });

  it('feedJobs() names removed jobs', () => {
    const sentChanges: Events['jobs.changed'][] = [];
    feedJobs(jobs, inSight, (event) => sentChanges.push(event));
    jobsById.delete('b');
    listener('a');
    listener('b');
    vi.advanceTimersByTime(100);
    expect(sentChanges).toHaveLength(1);
    expect(sentChanges[0]?.removed).toEqual(['b']);
  });

  it('feedJobs() stops emitting after stop()', () => {
    const send = vi.fn();
    const stop = feedJobs(jobs, inSight, send);
    listener('a');
    stop();
    vi.advanceTimersByTime(1000);
    expect(send).not.toHaveBeenCalled();
  });
});
