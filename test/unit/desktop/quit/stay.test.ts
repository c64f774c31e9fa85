import { EventEmitter } from 'node:events';
import type { App, BrowserWindow } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import type { Work } from '../../../../main/desktop/launch/work.ts';
import { setupWithoutWindow, withoutWindow } from '../../../../main/desktop/quit/stay.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';
import { job, watched } from '../stand-ins.ts';

const noWork: Work = { jobs: [], rules: [] };

it('withoutWindow() follows the user’s setting, whatever is under way', () => {
  expect(withoutWindow('linux', true, noWork)).toBe('stays');
  expect(withoutWindow('linux', false, { jobs: [job()], rules: [watched()] })).toBe('quits');
});

it('withoutWindow() quits while idle', () => {
  expect(withoutWindow('linux', null, noWork)).toBe('quits');
  expect(withoutWindow('win32', null, { jobs: [], rules: [watched({ on: false })] })).toBe('quits');
});

it('withoutWindow() stays while a rule is on', () => {
  expect(withoutWindow('linux', null, { jobs: [], rules: [watched()] })).toBe('stays');
});

it.each([
  { status: 'queued', waitingFor: 'turn' },
  { status: 'uploading', waitingFor: 'network' },
  { status: 'completing' },
  { status: 'tiling' },
] as const)('withoutWindow() stays until the last automatic job has ended: %o', (facts) => {
  expect(withoutWindow('linux', null, { jobs: [job(facts)], rules: [] })).toBe('stays-for-uploads');
});

it.each([
  { status: 'paused' },
  { status: 'uploading', waitingFor: 'sign-in' },
  { status: 'creating', waitingFor: 'confirmation' },
  { status: 'complete' },
] as const)('withoutWindow() quits for a job that waits for the user or has ended: %o', (facts) => {
  expect(withoutWindow('linux', null, { jobs: [job(facts)], rules: [] })).toBe('quits');
});

it('withoutWindow() always stays on macOS', () =>
  expect(withoutWindow('darwin', false, noWork)).toBe('stays'));

const onLinuxAndWindows = it.skipIf(process.platform === 'darwin');

function desktop(firstWork: Work = noWork, keepRunning: boolean | null = null, isOpened = true) {
  const settings = settingsInMemory();
  settings.update({ background: { ...settings.get().background, keepRunning } });
  const quit = vi.fn();
  const notify = vi.fn();
  const app = Object.assign(new EventEmitter(), { quit }) as unknown as App;
  let open = isOpened;
  let work = firstWork;
  let tell: (work: Work) => void = () => {};
  setupWithoutWindow({
    app,
    settings,
    notify,
    window: { current: () => (open ? ({} as BrowserWindow) : undefined) },
    work: { current: () => work, onChange: (listener) => (tell = listener), stop: () => {} },
  });
  return {
    quit,
    notify,
    settings,
    close: () => {
      open = false;
      app.emit('window-all-closed');
    },
    open: () => {
      open = true;
    },
    become: (nextWork: Work) => {
      work = nextWork;
      tell(nextWork);
    },
  };
}

describe('Tilelift without its window', () => {
  onLinuxAndWindows('quits while idle', () => {
    const { close, quit, notify } = desktop();
    close();
    expect(quit).toHaveBeenCalledOnce();
    expect(notify).not.toHaveBeenCalled();
  });

  onLinuxAndWindows('stays for watched folders and says so the first time', () => {
    const { close, open, quit, notify, settings } = desktop({ jobs: [], rules: [watched()] });
    close();
    open();
    close();
    expect(quit).not.toHaveBeenCalled();
    expect(notify).toHaveBeenCalledOnce();
    expect(settings.get().background.toldOfTray).toBe(true);
  });

  onLinuxAndWindows('quits after the jobs that kept it running have ended', () => {
    const { close, become, quit } = desktop({ jobs: [job()], rules: [watched({ on: false })] });
    close();
    become({ jobs: [job({ status: 'tiling' })], rules: [] });
    expect(quit).not.toHaveBeenCalled();
    become(noWork);
    expect(quit).toHaveBeenCalledOnce();
  });

  it.each([
    ['the window is open again', (at: ReturnType<typeof desktop>) => at.open()],
    [
      'a folder was watched meanwhile',
      (at: ReturnType<typeof desktop>) => at.become({ jobs: [], rules: [watched()] }),
    ],
  ])('Tilelift without its window stays when its jobs have ended and %s', (_when, happens) => {
    const at = desktop({ jobs: [job()], rules: [] });
    at.close();
    happens(at);
    at.become(noWork);
    expect(at.quit).not.toHaveBeenCalled();
  });

  it('Tilelift without its window stays when its watched folders are paused', () => {
    const { close, become, quit } = desktop({ jobs: [], rules: [watched()] });
    close();
    become({ jobs: [], rules: [watched({ on: false })] });
    expect(quit).not.toHaveBeenCalled();
  });

  it('Tilelift without its window stays idle when the user wants that', () => {
    const { close, become, quit } = desktop({ jobs: [job()], rules: [] }, true);
    close();
    become(noWork);
    expect(quit).not.toHaveBeenCalled();
  });
});

it('Tilelift stays idle after a background start', () => {
  const { become, quit } = desktop({ jobs: [job()], rules: [] }, null, false);
  become(noWork);
  expect(quit).not.toHaveBeenCalled();
});
