import type { Socket } from 'node:net';
import type { RecordedRequest } from '../model.ts';
import { Exchange } from './exchange.ts';
import type { FaultBook } from './fault-book.ts';
import { type Listener, listen } from './listener.ts';
import { meetFault } from './meet-fault.ts';

/** What the rooms share. */
export interface House {
  readonly faults: FaultBook;
  readonly log: RequestLog;
  /** For the `Date` header: clients correct their clocks by it. */
  readonly now: () => number;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
}

export interface RoomPlan {
  readonly name: RecordedRequest['room'];
  readonly port: number;
  readonly handle: (exchange: Exchange) => Promise<void>;
  /** Answers an error in this room's own words. Nothing of the answer has been sent yet. */
  readonly refuse: (exchange: Exchange, error: unknown) => void;
}

/** Opens one of the three listeners: records each request, lets it meet its fault, then has it handled. */
export function openRoom(plan: RoomPlan, house: House): Promise<Listener> {
  const answer = async (exchange: Exchange): Promise<void> => {
    const { request, response, method } = exchange;
    const path = request.url ?? '/';
    const record = house.log.open({ room: plan.name, method, path });
    response.once('prefinish', () => record(response.statusCode));
    response.setHeader('Date', new Date(house.now()).toUTCString());
    try {
      const action = house.faults.meet(plan.name, method, path);
      if (action && !(await meetFault(action, exchange, house.signal))) return;
      await plan.handle(exchange);
    } catch (error) {
      // The client went away, or the service stops: there is nobody to answer. The record keeps status 0.
      // Node takes the socket from a request whose connection is over, though its type does not say so.
      const socket: Socket | null = request.socket;
      if (!socket || socket.destroyed || house.signal.aborted) return;
      if (response.headersSent) socket.destroy();
      else plan.refuse(exchange, error);
    }
  };
  return listen(plan.port, (request, response, waits) => {
    void answer(new Exchange(request, response, waits));
  });
}

/** What the service has seen, in order of arrival. */
export class RequestLog {
  #entries: { room: RecordedRequest['room']; method: string; path: string; status: number }[] = [];

  /** Gives the way to write down the status. Until then it is 0: not answered. */
  open(request: Omit<RecordedRequest, 'status'>): (status: number) => void {
    const entry = { ...request, status: 0 };
    this.#entries.push(entry);
    return (status) => {
      entry.status = status;
    };
  }

  all(): readonly RecordedRequest[] {
    return this.#entries.map((entry) => ({ ...entry }));
  }
}
