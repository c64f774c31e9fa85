import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Fault, RecordedRequest, ServerCertificate } from '../model.ts';
import { Exchange } from './exchange.ts';
import type { FaultBook } from './fault-book.ts';
import { type Listener, listen, type OnRequest } from './listener.ts';
import { meetFault } from './meet-fault.ts';

interface House {
  readonly faults: FaultBook;
  readonly log: RequestLog;
  /** For the `Date` header, by which clients correct their clocks. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly hostName: string;
  /** For HTTPS; undefined for plain HTTP. */
  readonly certificate: ServerCertificate | undefined;
  /** For the fault `impostor`. */
  readonly impostorCertificate: ServerCertificate | undefined;
}

export interface RoomPlan {
  readonly name: RecordedRequest['room'];
  readonly port: number;
  readonly handle: (exchange: Exchange) => Promise<void>;
  /** Sends an error in this room's format. Called before any part of the response has been sent. */
  readonly refuse: (exchange: Exchange, error: unknown) => void;
}

/** Opens one of the three listeners: records each request, applies its fault, then handles it. */
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
      // The client left or the service stops; the record keeps status 0. Node removes a closed connection's
      // socket, contrary to its type.
      const socket: Socket | null = request.socket;
      if (!socket || socket.destroyed || house.signal.aborted) return;
      if (response.headersSent) socket.destroy();
      else plan.refuse(exchange, error);
    }
  };
  const onRequest: OnRequest = (request, response, waitsForContinue) => {
    void answer(new Exchange(request, response, waitsForContinue));
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

/** Counts all received bytes, including those that a fault leaves unread or drops. */
function countBody(request: IncomingMessage, onArrival: (bytes: number) => void): void {
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk) onArrival(chunk.length);
    return push(chunk, encoding);
  };
}

interface OpenRecord {
  readonly arrived: (bytes: number) => void;
  readonly answered: (status: number) => void;
  readonly metFault: (fault: Fault) => void;
}

type Entry = { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] };

/** Requests in order of arrival. */
export class RequestLog {
  readonly #entries: Entry[] = [];

  /** The status is 0 until the response. */
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
