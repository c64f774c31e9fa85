import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Fault, RecordedRequest, ServerCertificate } from '../model.ts';
import { Exchange } from './exchange.ts';
import type { FaultBook } from './fault-book.ts';
import { type Listener, listen, type OnRequest } from './listener.ts';
import { meetFault } from './meet-fault.ts';

/** What the rooms share. */
interface House {
  readonly faults: FaultBook;
  readonly log: RequestLog;
  /** For the `Date` header: clients correct their clocks by it. */
  readonly now: () => number;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
  readonly hostName: string;
  /** Over HTTPS with it; undefined for plain HTTP. */
  readonly certificate: ServerCertificate | undefined;
  /** What the fault `impostor` shows. */
  readonly impostorCertificate: ServerCertificate | undefined;
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
    response.once('prefinish', () => record.answered(response.statusCode));
    countBody(request, record.arrived);
    response.setHeader('Date', new Date(house.now()).toUTCString());
    try {
      const fault = house.faults.meet(plan.name, method, path);
      if (fault) record.metFault(fault);
      if (fault && !(await meetFault(fault.action, exchange, await surroundings))) return;
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
  const onRequest: OnRequest = (request, response, waits) => {
    void answer(new Exchange(request, response, waits));
  };
  const listening = listen(plan.port, onRequest, house);
  const surroundings = listening.then(({ standIn }) => ({
    signal: house.signal,
    cleared: () => house.faults.cleared,
    standIn,
  }));
  surroundings.catch(() => {});
  return listening;
}

/**
 * Counts what the connection brings, before anyone reads it: also what a fault leaves unread or throws away.
 */
function countBody(request: IncomingMessage, arrived: (bytes: number) => void): void {
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk) arrived(chunk.length);
    return push(chunk, encoding);
  };
}

/** How a request that was recorded on arrival continues. */
interface OpenRecord {
  readonly arrived: (bytes: number) => void;
  readonly answered: (status: number) => void;
  readonly metFault: (fault: Fault) => void;
}

type Entry = { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] };

/** What the service has seen, in order of arrival. */
export class RequestLog {
  readonly #entries: Entry[] = [];

  /** Until it is answered its status is 0. */
  open(request: Pick<RecordedRequest, 'room' | 'method' | 'path'>): OpenRecord {
    const entry: Entry = {
      ...request,
      status: 0,
      at: Date.now(),
      bodyBytes: 0,
      fault: null,
      faultName: null,
    };
    this.#entries.push(entry);
    return {
      arrived: (bytes) => {
        entry.bodyBytes += bytes;
      },
      answered: (status) => {
        entry.status = status;
      },
      metFault: ({ action, name = null }) => {
        entry.fault = action.kind;
        entry.faultName = name;
      },
    };
  }

  all(): readonly RecordedRequest[] {
    return this.#entries.map((entry) => ({ ...entry }));
  }
}
