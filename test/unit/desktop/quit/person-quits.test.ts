import { EventEmitter } from 'node:events';
import type { App, BrowserWindow, Dialog } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { setupPersonQuits } from '../../../../main/desktop/quit/person-quits.ts';
import type { Log } from '../../../../main/log.ts';
import { memorySettings } from '../../account/stand-ins.ts';
import { job } from '../stand-ins.ts';

interface Answer {
  readonly response: number;
  readonly checkboxChecked: boolean;
}

function desktop({ jobs = [job()], stays = false, windowIsThere = false } = {}) {
  const settings = memorySettings();
  const app = Object.assign(new EventEmitter(), { quit: vi.fn() });
  const answers: PromiseWithResolvers<Answer>[] = [];
  const showMessageBox = vi.fn(() => {
    const answer = Promise.withResolvers<Answer>();
    answers.push(answer);
    return answer.promise;
  });
  const window = new EventEmitter();
  const quit = setupPersonQuits({
    app: app as unknown as App,
    window: { current: () => (windowIsThere ? (window as BrowserWindow) : undefined) },
    settings,
    work: { now: () => ({ jobs, rules: [] }) },
    dialog: { showMessageBox } as unknown as Dialog,
    staysWithoutWindow: () => stays,
    log: { error: vi.fn() } as unknown as Log,
  });
  if (!windowIsThere) app.emit('browser-window-created', {}, window);
  return {
    app,
    quit,
    settings,
    showMessageBox,
    closeWindow: () => {
      const event = { preventDefault: vi.fn() };
      window.emit('close', event);
      return event.preventDefault;
    },
    answer: async (response: number, checkboxChecked = false) => {
      const asked = answers.shift();
      asked?.resolve({ response, checkboxChecked });
      await asked?.promise;
      await Promise.resolve();
    },
  };
}

const quitButton = 0;
const stayButton = 1;

describe('a person who quits', () => {
  it('is not asked where nothing is under way', () => {
    const { quit, app, showMessageBox } = desktop({ jobs: [] });
    quit();
    expect(app.quit).toHaveBeenCalledOnce();
    expect(showMessageBox).not.toHaveBeenCalled();
  });

  it('is asked once during uploads, and quits or stays', async () => {
    const { quit, app, answer, showMessageBox } = desktop();
    quit();
    quit();
    expect(showMessageBox).toHaveBeenCalledOnce();
    await answer(stayButton);
    expect(app.quit).not.toHaveBeenCalled();
    quit();
    await answer(quitButton);
    expect(app.quit).toHaveBeenCalledOnce();
  });

  it('is asked no more who does not want to be, but only when they quit', async () => {
    const { quit, app, answer, settings, showMessageBox } = desktop();
    quit();
    await answer(stayButton, true);
    expect(settings.get().background.askBeforeQuit).toBe(true);
    quit();
    await answer(quitButton, true);
    expect(settings.get().background.askBeforeQuit).toBe(false);
    quit();
    expect(showMessageBox).toHaveBeenCalledTimes(2);
    expect(app.quit).toHaveBeenCalledTimes(2);
  });

  it('quits all the same where the question can’t be asked', async () => {
    const { quit, app, showMessageBox } = desktop();
    showMessageBox.mockRejectedValueOnce(new Error('no display'));
    quit();
    await vi.waitFor(() => expect(app.quit).toHaveBeenCalledOnce());
  });
});

describe('closing the window', () => {
  it.each([
    ['the first', true],
    ['a later', false],
  ])('asks where that ends Tilelift, and %s window stays until the answer', async (_which, windowIsThere) => {
    const { closeWindow, answer, app } = desktop({ windowIsThere });
    expect(closeWindow()).toHaveBeenCalledOnce();
    await answer(quitButton);
    expect(app.quit).toHaveBeenCalledOnce();
  });

  it('asks nothing where Tilelift goes on without it', () => {
    const { closeWindow, showMessageBox } = desktop({ stays: true });
    expect(closeWindow()).not.toHaveBeenCalled();
    expect(showMessageBox).not.toHaveBeenCalled();
  });

  it('asks nothing where the system ends Tilelift', () => {
    const { closeWindow, app, showMessageBox } = desktop();
    app.emit('before-quit');
    expect(closeWindow()).not.toHaveBeenCalled();
    expect(showMessageBox).not.toHaveBeenCalled();
  });
});
