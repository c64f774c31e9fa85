import { EventEmitter } from 'node:events';
import type { App, BrowserWindow } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { setupTaskbar } from '../../../../main/desktop/tray/taskbar.ts';
import type { Work } from '../../../../main/desktop/work.ts';
import { job } from '../stand-ins.ts';

function desktop() {
  const setBadgeCount = vi.fn(() => true);
  const app = Object.assign(new EventEmitter(), { setBadgeCount }) as unknown as App;
  const bars: unknown[][] = [];
  const made = () => {
    const setProgressBar = (...args: unknown[]) => bars.push(args);
    return { setProgressBar, isFocused: () => focused } as unknown as BrowserWindow;
  };
  let focused = false;
  let open: BrowserWindow | undefined = made();
  let work: Work = { jobs: [], rules: [] };
  let tell: (work: Work) => void = () => {};
  const taskbar = setupTaskbar({
    app,
    window: { current: () => open },
    work: { now: () => work, onChange: (listener) => (tell = listener) },
  });
  bars.length = 0;
  return {
    taskbar,
    setBadgeCount,
    /** What was shown since last asked. */
    bars: () => bars.splice(0),
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
      open = made();
    },
  };
}

const sending = job({ bytesTotal: 100, bytesDone: 40 });

describe('the place in the taskbar', () => {
  it('shows progress, what has no measure, and nothing', () => {
    const { become, bars } = desktop();
    become(sending);
    become(job({ status: 'tiling' }));
    become();
    expect(bars()).toEqual([[0.4, { mode: 'normal' }], [2, { mode: 'indeterminate' }], [-1]]);
  });

  it('is left alone while nothing changes', () => {
    const { become, bars } = desktop();
    become(sending);
    become({ ...sending, bytesOnWire: 7 });
    expect(bars()).toHaveLength(1);
  });

  it('is told again in a window that was opened anew', () => {
    const { become, bars, close, openAnew } = desktop();
    become(sending);
    close();
    become(sending);
    openAnew();
    become(sending);
    expect(bars()).toHaveLength(2);
  });

  it('shows a failure until somebody looks', () => {
    const { taskbar, bars, focus } = desktop();
    taskbar.onEnd(job({ status: 'failed', endedAt: 1 }));
    expect(bars()).toEqual([[1, { mode: 'error' }]]);
    focus();
    expect(bars()).toEqual([[-1]]);
    taskbar.onEnd(job({ status: 'failed', endedAt: 2 }));
    expect(bars()).toEqual([]);
  });

  it.each(['complete', 'cancelled'] as const)('shows no failure for a job that ended %s', (status) => {
    const { taskbar, bars } = desktop();
    taskbar.onEnd(job({ status, endedAt: 1 }));
    expect(bars()).toEqual([]);
  });

  it('counts unfinished jobs, also without a window, and leaves no number behind', () => {
    const { taskbar, become, close, setBadgeCount } = desktop();
    close();
    become(sending, job({ id: 'b', status: 'paused' }));
    become(sending, job({ id: 'b', status: 'queued' }));
    taskbar.stop();
    expect(setBadgeCount.mock.calls).toEqual([[2], [0]]);
  });
});
