import { proxyAsksIn } from '../connection-fault.ts';
import type { CallAnswer } from '../storage-answer.ts';
import { StorageError } from '../storage-error.ts';
import type { SmallConnection } from './small-connection.ts';
import {
  type ConnectionOptions,
  closedCodes,
  RejectedAnswer,
  type StorageRequest,
  sign,
  type WatchedFlight,
} from './storage-request.ts';

/** A request with a small body and no proxy. */
export interface SmallRequest extends StorageRequest {
  readonly method: 'PUT';
  readonly body: Buffer;
  readonly proxy: null;
}

/**
 * Sends many small files by undici's client, which takes a third of the CPU time of Node's (decision 016).
 * Loaded on demand.
 */
export class SmallRequests {
  readonly #options: ConnectionOptions;
  readonly #idleConnections: SmallConnection[] = [];
  readonly #connections = new Set<SmallConnection>();
  readonly #sendByNode: (request: SmallRequest) => WatchedFlight;
  #connect: (() => SmallConnection) | null = null;
  #loadingClient: Promise<void> | null = null;
  #hasRejectedAnswer = false;

  constructor(options: ConnectionOptions, sendByNode: (request: SmallRequest) => WatchedFlight) {
    this.#options = options;
    this.#sendByNode = sendByNode;
  }

  /** Undici rejected a response that Node accepted. */
  get hasRejectedAnswer(): boolean {
    return this.#hasRejectedAnswer;
  }

  send(request: SmallRequest): SmallFlight {
    const flight = new SmallFlight(request, this.#options, this);
    if (this.#connect) flight.begin();
    else {
      this.#loadingClient ??= this.#load();
      this.#loadingClient.then(() => flight.begin(), flight.fail);
    }
    return flight;
  }

  takeConnection(): SmallConnection {
    const idleConnection = this.#idleConnections.pop();
    if (idleConnection) return idleConnection;
    if (!this.#connect) throw new Error('the client is not loaded yet');
    const connection = this.#connect();
    this.#connections.add(connection);
    return connection;
  }

  /** Repeating the same PUT is safe. */
  sendByNode(request: SmallRequest): WatchedFlight {
    const flight = this.#sendByNode(request);
    flight.answer.then(
      () => {
        this.#hasRejectedAnswer = true;
      },
      () => {},
    );
    return flight;
  }

  giveBack(connection: SmallConnection): void {
    if (this.#connections.has(connection)) this.#idleConnections.push(connection);
  }

  end(connection: SmallConnection, error: Error): void {
    this.#connections.delete(connection);
    connection.end(error);
  }

  dropIdle(): void {
    for (const connection of this.#idleConnections.splice(0))
      this.end(connection, new Error('not used any more'));
  }

  close(): void {
    this.#idleConnections.length = 0;
    for (const connection of this.#connections)
      this.end(connection, new Error('the connections were closed'));
  }

  async #load(): Promise<void> {
    const { SmallConnection, TlsSessions } = await import('./small-connection.ts');
    const sessions = new TlsSessions();
    this.#connect = () => new SmallConnection(this.#options, sessions);
  }
}

class SmallFlight implements WatchedFlight {
  readonly answer: Promise<CallAnswer>;
  readonly fail: (error: Error) => void;
  readonly #resolve: (answer: CallAnswer) => void;
  readonly #order: SmallRequest;
  readonly #options: ConnectionOptions;
  readonly #requests: SmallRequests;
  #connection: SmallConnection | null = null;
  #byNode: WatchedFlight | null = null;
  #movedAt = Number.POSITIVE_INFINITY;
  #secondTry = false;
  #hasEnded = false;

  constructor(order: SmallRequest, options: ConnectionOptions, requests: SmallRequests) {
    this.#order = order;
    this.#options = options;
    this.#requests = requests;
    const { promise, resolve, reject } = Promise.withResolvers<CallAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.fail = reject;
  }

  begin(): void {
    if (this.#hasEnded) return;
    this.#movedAt = performance.now();
    const { method, body } = this.#order;
    const { target: path, headers } = sign(this.#order, this.#options);
    const connection = this.#requests.takeConnection();
    this.#connection = connection;
    connection.send(
      { method, path, headers, body },
      (answer) => {
        this.#hasEnded = true;
        this.#connection = null;
        this.#requests.giveBack(connection);
        const loginFault = proxyAsksIn(answer);
        if (loginFault) this.fail(loginFault);
        else this.#resolve(answer);
      },
      (error) => this.#handleFailure(connection, error),
    );
  }

  abort(error: Error): void {
    this.#hasEnded = true;
    this.#byNode?.abort(error);
    if (this.#connection) this.#requests.end(this.#connection, error);
    this.fail(error);
  }

  dropIfStalled(nowMs: number): void {
    if (this.#byNode) this.#byNode.dropIfStalled(nowMs);
    else if (nowMs - this.#movedAt > this.#options.stallMs)
      this.abort(new StorageError({ code: 'Stalled', message: 'No byte moved.' }));
  }

  /** Retries once if a kept connection had been closed. */
  #handleFailure(connection: SmallConnection, error: Error): void {
    this.#connection = null;
    this.#requests.end(connection, error);
    if (error instanceof RejectedAnswer && !this.#hasEnded) {
      this.#byNode = this.#requests.sendByNode(this.#order);
      this.#byNode.answer.then(this.#resolve, this.fail);
      return;
    }
    const wasClosed = 'code' in error && closedCodes.has(error.code);
    if (!wasClosed || !connection.wasKept || connection.hasHeard || this.#hasEnded || this.#secondTry) {
      this.#hasEnded = true;
      this.fail(error);
      return;
    }
    this.#secondTry = true;
    this.#requests.dropIdle();
    this.begin();
  }
}
