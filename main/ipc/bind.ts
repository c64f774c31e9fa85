import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import type { CallName, Calls, EventName, Events, Result } from '../../preload/contract.ts';
import { callNames, droppedChannel } from '../../preload/contract.ts';
import { TileliftError, toErrorRecord } from '../errors.ts';
import type { Log } from '../log.ts';
import type { CallInputs } from './inputs.ts';
import { pageOrigin } from './page-origin.ts';

/** A handler for each call, enforced by the compiler. */
export type CallHandlers = {
  readonly [Name in CallName]: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']>;
};

/** Handlers for calls without input during startup. */
export type FirstAnswers = { readonly [Name in CallName]?: () => Promise<Calls[Name]['output']> };

/** Loaded later, because the schemas are large and the window opens without them. */
export interface CallAnswerer {
  readonly inputs: CallInputs;
  readonly handlers: CallHandlers;
}

/**
 * Binds all calls. Answers are `{ok: true, value}` or `{ok: false, error}`, because Electron only passes an
 * error's message. Calls wait until they can be answered. Returns a function to unbind.
 */
export function bindCalls(
  firstAnswers: Promise<FirstAnswers>,
  answering: Promise<CallAnswerer>,
  log: Log,
): () => void {
  let isComplete = false;
  void answering.then(() => {
    isComplete = true;
  });
  const bind = <Name extends CallName>(name: Name) => {
    ipcMain.handle(`tilelift:${name}`, async (event, input): Promise<Result<Calls[Name]['output']>> => {
      try {
        if (!isOurPage(event))
          throw new TileliftError('input-invalid', { subject: name, cause: new Error('from another page') });
        const earlyAnswer = isComplete || input !== null ? undefined : (await firstAnswers)[name];
        if (earlyAnswer) return { ok: true, value: await earlyAnswer() };
        const { inputs, handlers } = await answering;
        const parsed = inputs[name].safeParse(input);
        if (!parsed.success) throw new TileliftError('input-invalid', { subject: name, cause: parsed.error });
        return { ok: true, value: await handlers[name](parsed.data) };
      } catch (thrown) {
        const error = toErrorRecord(thrown);
        log.warn({ call: name, code: error.code, cause: describeCause(thrown) }, 'call failed');
        return { ok: false, error };
      }
    });
  };
  for (const name of callNames) bind(name);
  return () => {
    for (const name of callNames) ipcMain.removeHandler(`tilelift:${name}`);
  };
}

/**
 * Receives dropped or picked paths from the preload script. Pages can't send them: their bridge only has the
 * contract's calls, and files made by scripts have no path.
 */
export function bindDrops(onDropped: (path: string) => void): void {
  ipcMain.on(droppedChannel, (event, path: unknown) => {
    if (isOurPage(event) && typeof path === 'string') onDropped(path);
  });
}

/** Sends an event to a page unless it is gone. */
export function sendEvent<Name extends EventName>(page: WebContents, name: Name, value: Events[Name]): void {
  if (!page.isDestroyed()) page.send(`tilelift:${name}`, value);
}

function isOurPage({ senderFrame: frame, sender }: IpcMainInvokeEvent | IpcMainEvent): boolean {
  return frame !== null && frame === sender.mainFrame && frame.origin === pageOrigin;
}

function describeCause(error: unknown): string | undefined {
  const cause = error instanceof TileliftError ? error.cause : error;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
}
