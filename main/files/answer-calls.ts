import type { MessagePort } from 'node:worker_threads';
import { toErrorRecord } from '../errors.ts';
import type { CallOrder, CallReply, Calls } from './call-thread.ts';

/** Serves `createCallThread` in the thread. */
export function answerCalls(port: MessagePort, calls: Calls): void {
  const stops = new Map<number, AbortController>();
  const reply = (message: CallReply) => port.postMessage(message);
  port.on('message', async (order: CallOrder) => {
    const { id, call } = order;
    if (call === null) return stops.get(id)?.abort();
    const stop = new AbortController();
    stops.set(id, stop);
    try {
      const hearing = { signal: stop.signal, notify: (message: unknown) => reply({ id, news: message }) };
      reply({ id, answer: await calls[call]?.(order.input as never, hearing as never) });
    } catch (error) {
      reply({ id, error: toErrorRecord(error) });
    } finally {
      stops.delete(id);
    }
  });
}
