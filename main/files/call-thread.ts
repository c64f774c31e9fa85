import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { ErrorRecord } from '../../shared/errors.ts';
import { abandon } from '../abandoned-work.ts';
import { TileliftError } from '../errors.ts';
import type { ThreadKind } from './thread-kind.ts';

/** Context of a call in the thread. */
export interface CallContext<Message = never> {
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
  readonly notify: (message: Message) => void;
}

/** Calls that a thread serves; inputs and outputs are cloned. */
export type Calls = Readonly<Record<string, (input: never, context: never) => unknown>>;

type CallInput<Call> = Call extends (input: infer Input, ...parameters: never[]) => unknown ? Input : never;
type MessageOf<Call> = Call extends (input: never, context: CallContext<infer What>) => unknown
  ? What
  : never;

/** A call, or null to abort it. */
export type CallOrder =
  | { readonly id: number; readonly call: string; readonly input: unknown }
  | { readonly id: number; readonly call: null };
export type CallReply = { readonly id: number } & (
  | { readonly news: unknown }
  | { readonly answer: unknown }
  | { readonly error: ErrorRecord }
);

/** A thread that answers calls. Starts with the first call and keeps the process alive only during calls. */
export interface CallThread<Services> {
  /**
   * @param context receives progress until its signal aborts
   * @throws TileliftError of the call; `internal` if the thread ends first
   * @throws the signal's reason when it aborts
   */
  ask<Name extends keyof Services & string>(
    name: Name,
    input: CallInput<Services[Name]>,
    context?: {
      readonly signal?: AbortSignal;
      readonly notify?: (message: MessageOf<Services[Name]>) => void;
    },
  ): Promise<Awaited<Services[Name] extends (...inputs: never[]) => infer Answer ? Answer : never>>;
  close(): void;
}

interface PendingCall {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly notify: (news: unknown) => void;
}

/** @param file the worker's script: its source in plain Node, its bundle in Electron */
export function createCallThread<Served>(
  kind: ThreadKind,
  resourceLimits: ResourceLimits,
  file: URL,
): CallThread<Served> {
  let thread: Worker | null = null;
  let lastId = 0;
  const pendingCalls = new Map<number, PendingCall>();
  const removeCall = (id: number) => {
    pendingCalls.delete(id);
    if (pendingCalls.size === 0) thread?.unref();
  };
  const end = (worker: Worker, cause?: unknown) => {
    if (thread !== worker) return;
    thread = null;
    const calls = [...pendingCalls.values()];
    pendingCalls.clear();
    for (const { reject } of calls) reject(new TileliftError('internal', { cause }));
  };
  const start = () => {
    const thread = new Worker(file, { workerData: kind, execArgv: [], name: kind, resourceLimits });
    thread.on('message', (reply: CallReply) => {
      const pendingCall = pendingCalls.get(reply.id);
      if ('news' in reply) return pendingCall?.notify(reply.news);
      removeCall(reply.id);
      if ('error' in reply) pendingCall?.reject(TileliftError.fromRecord(reply.error));
      else pendingCall?.resolve(reply.answer);
    });
    thread.on('error', (error) => end(thread, error));
    thread.on('exit', (code) => end(thread, code));
    return thread;
  };
  const ask = (call: string, input: unknown, { signal, notify }: Partial<CallContext> = {}) => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    thread ??= start();
    thread.ref();
    const worker = thread;
    const id = ++lastId;
    const { promise, ...resolvers } = Promise.withResolvers<unknown>();
    pendingCalls.set(id, { ...resolvers, notify: (message) => notify?.(message as never) });
    worker.postMessage({ id, call, input: input } satisfies CallOrder);
    const stop = () => {
      if (thread === worker) worker.postMessage({ id, call: null } satisfies CallOrder);
      removeCall(id);
      resolvers.reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', stop));
  };
  return {
    // The answer's type follows from the call's name.
    ask: ask as CallThread<Served>['ask'],
    close: () => {
      const worker = thread;
      if (!worker) return;
      end(worker);
      abandon(worker.terminate());
    },
  };
}
