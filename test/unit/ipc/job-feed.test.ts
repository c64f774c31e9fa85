import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { feedJobs } from '../../../main/ipc/job-feed.ts';
import type { JobService, JobSnapshot } from '../../../main/jobs/model.ts';
import type { Events } from '../../../preload/contract.ts';

describe('the feed of jobs to the page', () => {
  let listener: (id: string) => void = () => {};
  const known = new Map<string, JobSnapshot>();
  const jobs = {
    get: (id: string) => known.get(id),
    onChange: (given: (id: string) => void) => {
      listener = given;
      return () => {
        listener = () => {};
      };
    },
  } as Partial<JobService> as JobService;

  beforeEach(() => {
    vi.useFakeTimers();
    known.clear();
    for (const id of ['a', 'b']) known.set(id, { id } as JobSnapshot);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('speaks at most ten times a second, with each changed job once', () => {
    const sent: Events['jobs.changed'][] = [];
    feedJobs(jobs, (event) => sent.push(event));
    for (let millisecond = 0; millisecond < 1000; millisecond += 1) {
      listener('a');
      vi.advanceTimersByTime(1);
    }
    expect(sent.length).toBeLessThanOrEqual(10);
    expect(sent[0]?.changed.map((job) => job.id)).toEqual(['a']);
  });

  it('names jobs that are gone', () => {
    const sent: Events['jobs.changed'][] = [];
    feedJobs(jobs, (event) => sent.push(event));
    known.delete('b');
    listener('a');
    listener('b');
    vi.advanceTimersByTime(100);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.removed).toEqual(['b']);
  });

  it('says nothing after it was stopped', () => {
    const send = vi.fn();
    const stop = feedJobs(jobs, send);
    listener('a');
    stop();
    vi.advanceTimersByTime(1000);
    expect(send).not.toHaveBeenCalled();
  });
});
