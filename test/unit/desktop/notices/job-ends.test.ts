import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJobEndNotices, watchJobEnds } from '../../../../main/desktop/notices/job-ends.ts';
import type { Notice } from '../../../../main/desktop/notices/notify.ts';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { errorMessage } from '../../../../main/say.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';
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
      list: () => [...known.values()],
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

function desktop({ isLookedAt = false, wanted = true } = {}) {
  const settings = settingsInMemory();
  settings.update({ background: { ...settings.get().background, notify: wanted } });
  const told: Notice[] = [];
  const did = vi.fn();
  const end = createJobEndNotices({
    settings,
    notify: (notice) => told.push(notice),
    isLookedAt: () => isLookedAt,
    showJob: (id) => did('show', id),
    offers: ({ accountId }, id) => [{ text: 'Open', run: () => did('open', accountId, id) }],
  });
  return { end, told, did };
}

const complete = job({ status: 'complete', endedAt: 1, assetId: 96_188 });
const error = toErrorRecord(new TileliftError('source-changed', { subject: 'ortho.tif' }));
const words = (ended: JobSnapshot) => {
  const { end, told } = desktop();
  end(ended);
  return told.map(({ title, body }) => [title, body]);
};

describe('a notice of an upload’s end', () => {
  it('says that the asset is there, and offers what can be done with it', () => {
    const { end, told, did } = desktop();
    end(complete);
    expect(told).toMatchObject([{ title: '“Flight” is complete', body: 'Asset 96188 is ready.' }]);
    expect(told[0]?.actions?.map(({ text }) => text)).toEqual(['Open']);
    for (const { run } of told[0]?.actions ?? []) run();
    told[0]?.onClick?.();
    expect(did.mock.calls).toEqual([
      ['open', 'account', 96_188],
      ['show', 'a'],
    ]);
  });

  it.each([
    ['data-error', '“Flight”: the service can’t use the data'],
    ['error', '“Flight”: tiling failed'],
    ['failed', '“Flight” failed'],
    ['expired', '“Flight” was not uploaded in time'],
  ] as const)('says what went wrong (%s), and offers nothing that is not there', (status, title) => {
    const ended = job({ status, endedAt: 1, assetId: 7, error });
    expect(words(ended)).toEqual([[title, errorMessage(error)]]);
    const { end, told } = desktop();
    end(ended);
    expect(told[0]?.actions).toEqual([]);
  });

  it('is not given for what the person cancelled, nor for a watched folder’s upload', () => {
    expect(words(job({ status: 'cancelled', endedAt: 1 }))).toEqual([]);
    expect(words({ ...complete, byRule: true })).toEqual([]);
  });

  it.each([{ isLookedAt: true }, { wanted: false }])('is not given with %o', (how) => {
    const { end, told } = desktop(how);
    end(complete);
    expect(told).toEqual([]);
  });
});
