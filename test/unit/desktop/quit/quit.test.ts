import { EventEmitter } from 'node:events';
import type { App, BrowserWindow } from 'electron';
import { expect, it, vi } from 'vitest';
import { quitCleanly, quitQuestion, setupPersonQuits } from '../../../../main/desktop/quit/quit.ts';
import type { Log } from '../../../../main/log.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';
import { job } from '../stand-ins.ts';

function tilelift() {
  const stopPromise = Promise.withResolvers<boolean>();
  const order: string[] = [];
  const app = Object.assign(new EventEmitter(), {
    quit: vi.fn(() => order.push('quit')),
    releaseSingleInstanceLock: vi.fn(() => order.push('lock given back')),
  });
  const killAfter = vi.fn();
  const stop = vi.fn(() => stopPromise.promise);
  quitCleanly({ app: app as unknown as App, stop, kill: () => order.push('killed'), killAfter });
  const beforeQuit = () => {
    const event = { preventDefault: vi.fn() };
    app.emit('before-quit', event);
    return event.preventDefault.mock.calls.length > 0;
  };
  return { app, order, killAfter, stop, stopping: stopPromise, beforeQuit };
}

it('quitting: waits once until everything has stopped', async () => {
  const { order, killAfter, stop, stopping: stopPromise, beforeQuit } = tilelift();
  expect([beforeQuit(), beforeQuit()]).toEqual([true, true]);
  expect(killAfter).toHaveBeenCalledExactlyOnceWith(5_000);
  expect(stop).toHaveBeenCalledOnce();

  stopPromise.resolve(true);
  await vi.waitFor(() => expect(order).toEqual(['quit']));
  expect(beforeQuit()).toBe(false);
});

it.each(['says that something hangs', 'fails'])(
  'quitting: kills the process when stopping %s',
  async (failureKind) => {
    const { order, stopping: stopPromise, beforeQuit } = tilelift();
    beforeQuit();
    if (failureKind === 'fails') stopPromise.reject(new Error('no journal'));
    else stopPromise.resolve(false);
    await vi.waitFor(() => expect(order).toEqual(['lock given back', 'killed']));
  },
);

interface Answer {
  readonly yes: boolean;
  readonly never: boolean;
}

function desktop({ jobs = [job()], stays: staysOpen = false, windowIsThere = false } = {}) {
  const settings = settingsInMemory();
  const app = Object.assign(new EventEmitter(), { quit: vi.fn() });
  const answers: PromiseWithResolvers<Answer>[] = [];
  const ask = vi.fn(() => {
    const answer = Promise.withResolvers<Answer>();
    answers.push(answer);
    return answer.promise;
  });
  const window = new EventEmitter();
  const quit = setupPersonQuits({
    app: app as unknown as App,
    window: { current: () => (windowIsThere ? (window as BrowserWindow) : undefined) },
    settings,
    work: { current: () => ({ jobs, rules: [] }) },
    ask,
    staysWithoutWindow: () => staysOpen,
    log: { error: vi.fn() } as unknown as Log,
  });
  if (!windowIsThere) app.emit('browser-window-created', {}, window);
  return {
    app,
    quit,
    settings,
    ask,
    closeWindow: () => {
      const event = { preventDefault: vi.fn() };
      window.emit('close', event);
      return event.preventDefault;
    },
    answer: async (isConfirmed: boolean, dontAskAgain = false) => {
      const answer = answers.shift();
      answer?.resolve({ yes: isConfirmed, never: dontAskAgain });
      await answer?.promise;
      await Promise.resolve();
    },
  };
}

const quits = true;
const stays = false;

it('a request to quit asks nothing while idle', () => {
  const { quit, app, ask } = desktop({ jobs: [] });
  quit();
  expect(app.quit).toHaveBeenCalledOnce();
  expect(ask).not.toHaveBeenCalled();
});

it('a request to quit asks once during uploads, then quits or stays', async () => {
  const { quit, app, answer, ask } = desktop();
  quit();
  quit();
  expect(ask).toHaveBeenCalledOnce();
  await answer(stays);
  expect(app.quit).not.toHaveBeenCalled();
  quit();
  await answer(quits);
  expect(app.quit).toHaveBeenCalledOnce();
});

it('a request to quit stops asking once the user opted out and quit', async () => {
  const { quit, app, answer, settings, ask } = desktop();
  quit();
  await answer(stays, true);
  expect(settings.get().background.askBeforeQuit).toBe(true);
  quit();
  await answer(quits, true);
  expect(settings.get().background.askBeforeQuit).toBe(false);
  quit();
  expect(ask).toHaveBeenCalledTimes(2);
  expect(app.quit).toHaveBeenCalledTimes(2);
});

it('a request to quit quits when the question can’t be shown', async () => {
  const { quit, app, ask } = desktop();
  ask.mockRejectedValueOnce(new Error('no display'));
  quit();
  await vi.waitFor(() => expect(app.quit).toHaveBeenCalledOnce());
});

it.each([
  ['the first', true],
  ['a later', false],
])(
  'closing the window: asks when that quits Tilelift, and keeps the %s window open until the answer',
  async (_which, windowIsThere) => {
    const { closeWindow, answer, app } = desktop({ windowIsThere });
    expect(closeWindow()).toHaveBeenCalledOnce();
    await answer(quits);
    expect(app.quit).toHaveBeenCalledOnce();
  },
);

it('closing the window: asks nothing when Tilelift keeps running', () => {
  const { closeWindow, ask } = desktop({ stays: true });
  expect(closeWindow()).not.toHaveBeenCalled();
  expect(ask).not.toHaveBeenCalled();
});

it('closing the window: asks nothing when the system ends Tilelift', () => {
  const { closeWindow, app, ask } = desktop();
  app.emit('before-quit');
  expect(closeWindow()).not.toHaveBeenCalled();
  expect(ask).not.toHaveBeenCalled();
});

it('quitQuestion() counts the uploads with data to send and says when they resume', () => {
  expect(quitQuestion([job()])).toEqual({
    message: '1 upload still has data to send.',
    detail: 'It resumes the next time Tilelift starts.',
  });
  const line = job({ status: 'queued', waitingFor: 'turn' });
  expect(quitQuestion([job({ status: 'creating' }), line, job({ status: 'tiling' })])).toEqual({
    message: '2 uploads still have data to send.',
    detail: 'They resume the next time Tilelift starts.',
  });
});

it('quitQuestion() says until when the first storage credentials are valid', () => {
  const now = new Date(2026, 10, 20, 17, 31).getTime();
  const until = (minutes: number) => job({ status: 'uploading', credentialsEndAt: now + minutes * 60_000 });
  expect(quitQuestion([until(60)], now)?.detail).toBe(
    'It resumes the next time Tilelift starts. Its storage credentials are valid until 18:31.',
  );
  expect(quitQuestion([until(60), until(30), until(-5)], now)?.detail).toBe(
    'They resume the next time Tilelift starts. Their storage credentials expire from 18:01 onwards.',
  );
});

it.each([
  { status: 'tiling' },
  { status: 'paused' },
  { status: 'uploading', waitingFor: 'sign-in' },
  { status: 'creating', waitingFor: 'confirmation' },
] as const)('quitQuestion() is null for %o', (facts) => expect(quitQuestion([job(facts)])).toBeNull());
