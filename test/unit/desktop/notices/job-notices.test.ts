import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { checkIntervalMs, maxHeldMs } from '../../../../main/desktop/notices/end-batches.ts';
import { createJobNotices } from '../../../../main/desktop/notices/job-notices.ts';
import type { Notice } from '../../../../main/desktop/notices/notify.ts';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { errorMessage } from '../../../../main/say.ts';
import { manualClock, settingsInMemory } from '../../account/stand-ins.ts';
import { job } from '../stand-ins.ts';

function desktop({ isLookedAt = false, wanted: isOn = true, list = [] as JobSnapshot[] } = {}) {
  const settings = settingsInMemory();
  settings.update({ background: { ...settings.get().background, notify: isOn } });
  const clock = manualClock();
  const notices: Notice[] = [];
  const actionDone = vi.fn();
  const windowSight = { at: isLookedAt };
  const jobs = [...list];
  const { onEnd, stop } = createJobNotices({
    ...{ settings, clock },
    jobs: { unfinishedJobs: () => jobs },
    notify: (notice) => notices.push(notice),
    isLookedAt: () => windowSight.at,
    showJobs: (ids) => actionDone('show', ...ids),
    copyList: (endedJobs) => actionDone('copy', ...endedJobs.map(({ id }) => id)),
    offers: ({ accountId }, id) => [{ text: 'Open', run: () => actionDone('open', accountId, id) }],
  });
  const passTime = async (ms: number) => {
    clock.advance(ms);
    await setImmediate();
  };
  const end = (endedJob: JobSnapshot) => {
    const at = jobs.findIndex(({ id }) => id === endedJob.id);
    if (at >= 0) jobs[at] = endedJob;
    onEnd(endedJob);
  };
  return { end, stop, told: notices, did: actionDone, pass: passTime, looks: windowSight, jobs };
}

const complete = job({ status: 'complete', endedAt: 1, assetId: 96_188 });
const error = toErrorRecord(new TileliftError('source-changed', { subject: 'ortho.tif' }));
const words = (endedJob: JobSnapshot) => {
  const { end, told: notices } = desktop();
  end(endedJob);
  return notices.map(({ title, body }) => [title, body]);
};
const dozen = (part: Partial<JobSnapshot> = {}) =>
  Array.from({ length: 12 }, (_, at) => job({ id: `j${at}`, name: `Tile ${at}`, ...part }));

it('a notice for a finished upload announces the asset and offers its actions', () => {
  const { end, told: notices, did: actionDone } = desktop();
  end(complete);
  expect(notices).toMatchObject([{ title: '“Flight” is complete', body: 'Asset 96188 is ready.' }]);
  for (const { run } of notices[0]?.actions ?? []) run();
  notices[0]?.onClick?.();
  expect(actionDone.mock.calls).toEqual([
    ['open', 'account', 96_188],
    ['show', 'a'],
  ]);
});

it.each([
  ['data-error', '“Flight”: the service can’t use the data'],
  ['error', '“Flight”: tiling failed'],
  ['failed', '“Flight” failed'],
  ['expired', '“Flight” was not uploaded in time'],
] as const)(
  'a notice for a finished upload explains the error (%s) and offers only possible actions',
  (status, title) => {
    const endedJob = job({ status, endedAt: 1, assetId: 7, error });
    expect(words(endedJob)).toEqual([[title, errorMessage(error)]]);
    const { end, told: notices } = desktop();
    end(endedJob);
    expect(notices[0]?.actions).toEqual([]);
  },
);

it('a notice for a finished upload is not shown for cancelled uploads and watched folders', () => {
  expect(words(job({ status: 'cancelled', endedAt: 1 }))).toEqual([]);
  expect(words({ ...complete, byRule: true })).toEqual([]);
});

it.each([{ isLookedAt: true }, { wanted: false }])(
  'a notice for a finished upload is not shown with %o',
  (situation) => {
    const { end, told: notices } = desktop(situation);
    end(complete);
    expect(notices).toEqual([]);
  },
);

it('a notice for a batch of uploads appears once after the last upload ends, with its list to show and to copy', async () => {
  const { end, told: notices, did: actionDone, pass: passTime, jobs } = desktop({ list: dozen() });
  for (const item of [...jobs]) {
    expect(notices).toEqual([]);
    end({ ...item, status: 'complete', endedAt: 1, assetId: 1 });
    await passTime(1_000);
  }
  expect(notices).toMatchObject([{ title: '12 complete', body: 'Tile 0, Tile 1, Tile 2 and 9 more' }]);
  expect(notices[0]?.actions?.map(({ text }) => text)).toEqual(['Open', 'Copy list as CSV']);
  for (const { run } of notices[0]?.actions ?? []) run();
  notices[0]?.onClick?.();
  const allIds = dozen().map(({ id }) => id);
  expect(actionDone.mock.calls).toEqual([
    ['show', ...allIds],
    ['copy', ...allIds],
    ['show', ...allIds],
  ]);
  await passTime(maxHeldMs);
  expect(notices).toHaveLength(1);
});

it('a notice for a batch of uploads counts and names failed uploads', () => {
  const { end, told: notices, jobs } = desktop({ list: dozen() });
  for (const [at, item] of [...jobs].entries())
    end({ ...item, endedAt: 1, status: at % 6 === 5 ? 'data-error' : 'complete' });
  expect(notices).toMatchObject([{ title: '10 complete, 2 failed', body: 'Failed: Tile 5, Tile 11' }]);
});

it('a notice for a batch of uploads says that no upload is complete', () => {
  const { end, told: notices, jobs } = desktop({ list: dozen().slice(0, 2) });
  for (const item of [...jobs]) end({ ...item, endedAt: 1, status: 'failed' });
  expect(notices).toMatchObject([{ title: '2 failed' }]);
});

it.each([
  ['is paused', { status: 'paused' }],
  ['waits for a person', { status: 'queued', waitingFor: 'confirmation' }],
  ['is a watched folder’s', { byRule: true }],
] as const)('a notice for a batch of uploads does not wait for an upload that %s', (_, otherEnd) => {
  const { end, told: notices } = desktop({ list: [job({ id: 'other', ...otherEnd })] });
  end(complete);
  expect(notices).toHaveLength(1);
});

it('a notice for a batch of uploads appears soon after the remaining uploads stop without an end', async () => {
  const { end, told: notices, pass: passTime, jobs } = desktop({ list: dozen().slice(0, 2) });
  end({ ...complete, id: 'j0' });
  jobs[1] = job({ id: 'j1', status: 'paused' });
  await passTime(checkIntervalMs);
  expect(notices).toMatchObject([{ title: '“Flight” is complete' }]);
});

it('a notice for a batch of uploads skips uploads that the user saw end, and the whole batch when the user is back', async () => {
  const {
    end,
    told: notices,
    looks: windowSight,
    jobs,
  } = desktop({ isLookedAt: true, list: dozen().slice(0, 3) });
  const [a, b, c] = jobs.map((item) => ({ ...item, status: 'complete' as const, endedAt: 1 }));
  if (!a || !b || !c) throw new Error('three');
  end(a);
  windowSight.at = false;
  end(b);
  end(c);
  expect(notices).toMatchObject([{ title: '2 complete' }]);

  const otherDesktop = desktop({ list: dozen().slice(0, 2) });
  otherDesktop.end({ ...a, id: 'j0' });
  otherDesktop.looks.at = true;
  otherDesktop.end({ ...b, id: 'j1' });
  expect(otherDesktop.told).toEqual([]);
});

it('a notice for a batch of uploads does not appear after stop()', async () => {
  const { end, stop, told: notices, pass: passTime } = desktop({ list: dozen() });
  end({ ...complete, id: 'j0' });
  stop();
  await passTime(maxHeldMs);
  expect(notices).toEqual([]);
});
