import type { IpcMainInvokeEvent } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { bindCalls, type CallAnswerer, type FirstAnswers } from '../../../main/ipc/bind.ts';
import { callInputs } from '../../../main/ipc/inputs.ts';
import { pageOrigin } from '../../../main/ipc/page-origin.ts';
import { silentLog } from '../../../main/log.ts';

type Handle = (event: IpcMainInvokeEvent, input: unknown) => Promise<unknown>;
const bound = vi.hoisted(() => new Map<string, Handle>());
vi.mock('electron', () => ({
  ipcMain: { handle: (channel: string, handle: Handle) => bound.set(channel, handle) },
}));

const ourFrame = { origin: pageOrigin };
const fromPage = { senderFrame: ourFrame, sender: { mainFrame: ourFrame } } as unknown as IpcMainInvokeEvent;
const otherOrigin = { origin: 'https://elsewhere.example' };
const fromElsewhere = {
  senderFrame: otherOrigin,
  sender: { mainFrame: otherOrigin },
} as unknown as IpcMainInvokeEvent;

const ask = (name: string, input: unknown = null, event = fromPage) =>
  bound.get(`tilelift:${name}`)?.(event, input);

/** Whether the call resolves without further events. */
async function isAnswered(answer: Promise<unknown> | undefined): Promise<boolean> {
  return Promise.race([
    Promise.resolve(answer).then(() => true),
    new Promise<boolean>((resolve) => setImmediate(resolve, false)),
  ]);
}

const signedOutState = { kind: 'signed-out', error: null, signedOut: [] } as const;
let firstHandlers: PromiseWithResolvers<FirstAnswers>;
let allHandlers: PromiseWithResolvers<CallAnswerer>;
beforeEach(() => {
  firstHandlers = Promise.withResolvers();
  allHandlers = Promise.withResolvers();
  bindCalls(firstHandlers.promise, allHandlers.promise, silentLog);
});

const giveFirst = () => firstHandlers.resolve({ 'account.state': async () => signedOutState });
const giveAll = () => {
  const handlers = {
    'account.state': async () => ({ ...signedOutState, error: { code: 'internal', retryable: true } }),
    'app.bandwidth': async () => ({ limit: 1, timetable: [] }),
  } as unknown as CallAnswerer['handlers'];
  allHandlers.resolve({ inputs: callInputs, handlers });
};

it('first answers respond while all other calls wait', async () => {
  const [account, bandwidth] = [ask('account.state'), ask('app.bandwidth')];
  giveFirst();
  expect(await account).toEqual({ ok: true, value: signedOutState });
  expect(await isAnswered(bandwidth)).toBe(false);
  giveAll();
  expect(await bandwidth).toEqual({ ok: true, value: { limit: 1, timetable: [] } });
});

it('first answers are replaced by the complete handlers', async () => {
  giveFirst();
  giveAll();
  await allHandlers.promise;
  expect(await ask('account.state')).toMatchObject({ value: { error: { code: 'internal' } } });
});

it('first answers serve only our own page and calls without input', async () => {
  giveFirst();
  const refusedAnswer = { ok: false, error: { code: 'input-invalid' } };
  expect(await ask('account.state', null, fromElsewhere)).toMatchObject(refusedAnswer);
  const withInput = ask('account.state', { surplus: true });
  expect(await isAnswered(withInput)).toBe(false);
  giveAll();
  expect(await withInput).toMatchObject(refusedAnswer);
});

it('first answers leave a call waiting that only the complete handlers can answer', async () => {
  const account = ask('account.state');
  firstHandlers.resolve({});
  expect(await isAnswered(account)).toBe(false);
  giveAll();
  expect(await account).toMatchObject({ ok: true });
});
