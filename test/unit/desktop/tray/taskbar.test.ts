import { EventEmitter } from 'node:events';
import type { App, BrowserWindow } from 'electron';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { Work } from '../../../../main/desktop/launch/work.ts';
import { setupTaskbar, taskbarProgress } from '../../../../main/desktop/tray/taskbar.ts';
import { jobStatuses } from '../../../../shared/job-status.ts';
import { job } from '../stand-ins.ts';

function desktop() {
  const setBadgeCount = vi.fn(() => true);
  const app = Object.assign(new EventEmitter(), { setBadgeCount }) as unknown as App;
  const bars: unknown[][] = [];
  const titles: string[] = [];
  const createWindow = () => {
    const setProgressBar = (...args: unknown[]) => bars.push(args);
    const setTitle = (title: string) => titles.push(title);
    return { setProgressBar, setTitle, isFocused: () => focused } as unknown as BrowserWindow;
  };
  let focused = false;
  let open: BrowserWindow | undefined = createWindow();
  let work: Work = { jobs: [], rules: [] };
  let tell: (work: Work) => void = () => {};
  const taskbar = setupTaskbar({
    app,
    window: { current: () => open },
    work: { current: () => work, onChange: (listener) => (tell = listener) },
  });
  bars.length = 0;
  return {
    taskbar,
    setBadgeCount,
    /** Returns what was shown since the last call. */
    bars: () => bars.splice(0),
    title: () => titles.at(-1),
    become: (...jobs: Work['jobs'][number][]) => {
      work = { jobs, rules: [] };
      tell(work);
    },
    focus: () => {
      focused = true;
      app.emit('browser-window-focus');
    },
    close: () => {
      open = undefined;
    },
    openAnew: () => {
      open = createWindow();
    },
  };
}

const sending = job({ bytesTotal: 100, bytesDone: 40 });

it('the taskbar shows progress, indeterminate work and nothing', () => {
  const { become, bars } = desktop();
  become(sending);
  become(job({ status: 'tiling' }));
  become();
  expect(bars()).toEqual([[0.4, { mode: 'normal' }], [2, { mode: 'indeterminate' }], [-1]]);
});

it('the title gives the time left of the queue while data is sent', () => {
  const { become, title } = desktop();
  become({ ...sending, bytesTotal: 7_200, bytesDone: 0, bytesPerSecond: 4 });
  expect(title()?.replaceAll('\u00a0', ' ')).toBe('30 min left · Tilelift');
  become({ ...sending, bytesTotal: 7_200, bytesDone: 0, bytesPerSecond: 2 });
  expect(title()?.replaceAll('\u00a0', ' ')).toBe('1 h left · Tilelift');
  become();
  expect(title()).toBe('Tilelift');
});

it('the taskbar updates only on changes', () => {
  const { become, bars } = desktop();
  become(sending);
  become({ ...sending, bytesOnWire: 7 });
  expect(bars()).toHaveLength(1);
});

it('the taskbar shows progress again in a reopened window', () => {
  const { become, bars, close, openAnew } = desktop();
  become(sending);
  close();
  become(sending);
  openAnew();
  become(sending);
  expect(bars()).toHaveLength(2);
});

it('the taskbar shows a failure until the window has focus', () => {
  const { taskbar, bars, focus } = desktop();
  taskbar.onEnd(job({ status: 'failed', endedAt: 1 }));
  expect(bars()).toEqual([[1, { mode: 'error' }]]);
  focus();
  expect(bars()).toEqual([[-1]]);
  taskbar.onEnd(job({ status: 'failed', endedAt: 2 }));
  expect(bars()).toEqual([]);
});

it.each(['complete', 'cancelled'] as const)(
  'the taskbar shows no failure for a job that ended %s',
  (status) => {
    const { taskbar, bars } = desktop();
    taskbar.onEnd(job({ status, endedAt: 1 }));
    expect(bars()).toEqual([]);
  },
);

it('the taskbar counts unfinished jobs without a window and clears the badge on stop', () => {
  const { taskbar, become, close, setBadgeCount } = desktop();
  close();
  become(sending, job({ id: 'b', status: 'paused' }));
  become(sending, job({ id: 'b', status: 'queued' }));
  taskbar.stop();
  expect(setBadgeCount.mock.calls).toEqual([[2], [0]]);
});

const quarterSent = job({ bytesTotal: 1_000, bytesDone: 250 });

it('taskbarProgress() is none while nothing moves', () => {
  expect(taskbarProgress([], false)).toEqual({ kind: 'none' });
  const stillJobs = [
    job({ status: 'paused' }),
    job({ status: 'queued', waitingFor: 'turn' }),
    job({ status: 'creating', waitingFor: 'confirmation' }),
    job({ status: 'tiling', waitingFor: 'sign-in' }),
  ];
  expect(taskbarProgress(stillJobs, false)).toEqual({ kind: 'none' });
});

it('taskbarProgress() is the confirmed share of all uploads', () => {
  const largerJob = job({ status: 'completing', bytesTotal: 3_000, bytesDone: 3_000 });
  const waitingJob = job({ bytesTotal: 90_000, waitingFor: 'turn' });
  expect(taskbarProgress([quarterSent, largerJob, waitingJob], false)).toEqual({
    kind: 'sending',
    share: 0.8125,
  });
});

it('taskbarProgress() is busy while a source is scanned or tiled', () => {
  expect(taskbarProgress([job({ status: 'creating' })], false)).toEqual({ kind: 'busy' });
  expect(taskbarProgress([job({ status: 'tiling' })], false)).toEqual({ kind: 'busy' });
  expect(taskbarProgress([job({ status: 'tiling' }), quarterSent], false).kind).toBe('sending');
});

it('taskbarProgress() is failed after an unseen failure, whatever else runs', () => {
  expect(taskbarProgress([], true)).toEqual({ kind: 'failed', share: 1 });
  expect(taskbarProgress([quarterSent], true)).toEqual({ kind: 'failed', share: 0.25 });
});

it('taskbarProgress() is always a share between 0 and 1', () => {
  const anyJob = fc
    .record({
      status: fc.constantFrom(...jobStatuses),
      waitingFor: fc.constantFrom(null, 'turn', 'network', 'sign-in', 'confirmation'),
      bytesTotal: fc.option(fc.nat()),
      bytesDone: fc.nat(),
    })
    .map((facts) => job(facts));
  fc.assert(
    fc.property(fc.array(anyJob), fc.boolean(), (jobs, isUnseen) => {
      const progress = taskbarProgress(jobs, isUnseen);
      if (!('share' in progress)) return;
      expect(progress.share).toBeGreaterThanOrEqual(0);
      expect(progress.share).toBeLessThanOrEqual(1);
    }),
  );
});
