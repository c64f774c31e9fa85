import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { ErrorRecord } from '../../shared/errors.ts';
import { TileliftError } from '../errors.ts';
import { giveUp } from '../abandoned-work.ts';
import type { ThreadKind } from './thread-kind.ts';

/** Context of a call in the thread. */
export interface Hearing<News = never> {
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
  readonly tell: (news: News) => void;
}

/** Calls that a thread serves; inputs and outputs are cloned. */
export type Calls = Readonly<Record<string, (given: never, hearing: never) => unknown>>;

type Given<Call> = Call extends (given: infer What, ...rest: never[]) => unknown ? What : never;
type News<Call> = Call extends (given: never, hearing: Hearing<infer What>) => unknown ? What : never;

/** A call, or null to abort it. */
export type CallOrder =
  | { readonly id: number; readonly call: string; readonly given: unknown }
  | { readonly id: number; readonly call: null };
export type CallReply = { readonly id: number } & (
  | { readonly news: unknown }
  | { readonly answer: unknown }
  | { readonly error: ErrorRecord }
);

/** A thread that answers calls. Starts with the first call and keeps the process alive only during calls. */
export interface CallThread<Served> {
  /**
   * @param hearing receives progress until its signal aborts
   * @throws TileliftError of the call; `internal` if the thread ends first
   * @throws the signal's reason when it aborts
   */
  ask<Name extends keyof Served & string>(
    name: Name,
    given: Given<Served[Name]>,
    hearing?: { readonly signal?: AbortSignal; readonly tell?: (news: News<Served[Name]>) => void },
  ): Promise<Awaited<Served[Name] extends (...given: never[]) => infer Answer ? Answer : never>>;
  close(): void;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly tell: (news: unknown) => void;
}

/** @param file the worker's script: its source in plain Node, its bundle in Electron */
export function createCallThread<Served>(
  kind: ThreadKind,
  resourceLimits: ResourceLimits,
  file: URL,
): CallThread<Served> {
  let thread: Worker | null = null;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();
  const settle = (id: number) => {
    waiting.delete(id);
    if (waiting.size === 0) thread?.unref();
  };
  const end = (ended: Worker, cause?: unknown) => {
    if (thread !== ended) return;
    thread = null;
    const all = [...waiting.values()];
    waiting.clear();
    for (const { reject } of all) reject(new TileliftError('internal', { cause }));
  };
  const start = () => {
    const started = new Worker(file, { workerData: kind, execArgv: [], name: kind, resourceLimits });
    started.on('message', (reply: CallReply) => {
      const one = waiting.get(reply.id);
      if ('news' in reply) return one?.tell(reply.news);
      settle(reply.id);
      if ('error' in reply) one?.reject(TileliftError.fromRecord(reply.error));
      else one?.resolve(reply.answer);
    });
    started.on('error', (error) => end(started, error));
    started.on('exit', (code) => end(started, code));
    return started;
  };
  const ask = (call: string, given: unknown, { signal, tell }: Partial<Hearing> = {}) => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    thread ??= start();
    thread.ref();
    const asked = thread;
    const id = ++lastId;
    const { promise, ...settled } = Promise.withResolvers<unknown>();
    waiting.set(id, { ...settled, tell: (news) => tell?.(news as never) });
    asked.postMessage({ id, call, given } satisfies CallOrder);
    const stop = () => {
      if (thread === asked) asked.postMessage({ id, call: null } satisfies CallOrder);
      settle(id);
      settled.reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', stop));
  };
  return {
    // The answer's type follows from the call's name.
    ask: ask as CallThread<Served>['ask'],
    close: () => {
      const ended = thread;
      if (!ended) return;
      end(ended);
      giveUp(ended.terminate());
    },
  };
}
