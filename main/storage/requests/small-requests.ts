import { proxyAsksIn } from '../connection-fault.ts';
import type { CallAnswer } from '../storage-answer.ts';
import { StorageError } from '../storage-error.ts';
import type { SmallConnection } from './small-connection.ts';
import {
  type ConnectionOptions,
  closedCodes,
  RejectedAnswer,
  type StorageRequest,
  type WatchedFlight,
} from './storage-request.ts';

/** A request whose body leaves at once, on no proxy's way. */
export interface SmallRequest extends StorageRequest {
  readonly method: 'PUT';
  readonly body: Buffer;
  readonly proxy: null;
}

/**
 * Small files by the tens of thousands, straight to storage: by undici's client, which takes a third of the
 * processor's time that Node's own one takes for a request (decision 016). It is loaded with the first.
 */
export class SmallRequests {
  readonly #options: ConnectionOptions;
  readonly #idle: SmallConnection[] = [];
  readonly #all = new Set<SmallConnection>();
  readonly #sendByNode: (request: SmallRequest) => WatchedFlight;
  #connect: (() => SmallConnection) | null = null;
  #loading: Promise<void> | null = null;
  #isRejecting = false;

  /** @param sendByNode sends a request whose answer undici's parser refused */
  constructor(options: ConnectionOptions, sendByNode: (request: SmallRequest) => WatchedFlight) {
    this.#options = options;
    this.#sendByNode = sendByNode;
  }

  /** This store's answers are for Node's client: it understood one that undici's refused. */
  get isRejecting(): boolean {
    return this.#isRejecting;
  }

  send(request: SmallRequest): SmallFlight {
    const flight = new SmallFlight(request, this.#options, this);
    if (this.#connect) flight.begin();
    else {
      this.#loading ??= this.#load();
      this.#loading.then(() => flight.begin(), flight.fail);
    }
    return flight;
  }

  /** One that is kept, or else a new one. Only once the client is loaded. */
  take(): SmallConnection {
    const kept = this.#idle.pop();
    if (kept) return kept;
    if (!this.#connect) throw new Error('the client is not loaded yet');
    const connection = this.#connect();
    this.#all.add(connection);
    return connection;
  }

  /** The same bytes under the same name change nothing when they come twice. */
  sendByNode(request: SmallRequest): WatchedFlight {
    const flight = this.#sendByNode(request);
    flight.answer.then(
      () => {
        this.#isRejecting = true;
      },
      () => {},
    );
    return flight;
  }

  /** It may serve another request. */
  giveBack(connection: SmallConnection): void {
    if (this.#all.has(connection)) this.#idle.push(connection);
  }

  /** Ends it, and its request with that error. */
  end(connection: SmallConnection, error: Error): void {
    this.#all.delete(connection);
    connection.end(error);
  }

  dropIdle(): void {
    for (const connection of this.#idle.splice(0)) this.end(connection, new Error('not used any more'));
  }

  close(): void {
    this.#idle.length = 0;
    for (const connection of this.#all) this.end(connection, new Error('the connections were closed'));
  }

  async #load(): Promise<void> {
    const { SmallConnection, TlsSessions } = await import('./small-connection.ts');
    const sessions = new TlsSessions();
    this.#connect = () => new SmallConnection(this.#options, sessions);
  }
}

/** One request, on one connection at a time. */
class SmallFlight implements WatchedFlight {
  readonly answer: Promise<CallAnswer>;
  readonly fail: (error: Error) => void;
  readonly #resolve: (answer: CallAnswer) => void;
  readonly #what: SmallRequest;
  readonly #options: ConnectionOptions;
  readonly #requests: SmallRequests;
  #connection: SmallConnection | null = null;
  /** Takes over once undici's parser has refused the answer. */
  #byNode: WatchedFlight | null = null;
  /** It waits for no one before it has begun. */
  #movedAt = Number.POSITIVE_INFINITY;
  #secondTry = false;
  #over = false;

  constructor(what: SmallRequest, options: ConnectionOptions, requests: SmallRequests) {
    this.#what = what;
    this.#options = options;
    this.#requests = requests;
    const { promise, resolve, reject } = Promise.withResolvers<CallAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.fail = reject;
  }

  begin(): void {
    if (this.#over) return;
    this.#movedAt = performance.now();
    const { method, query, body } = this.#what;
    const { address, signer, now } = this.#options;
    const { host } = address;
    const path = address.base + this.#what.path;
    const headers = signer.headers({ method, host, path, query, headers: this.#what.headers, at: now() });
    const connection = this.#requests.take();
    this.#connection = connection;
    connection.send(
      { method, path: query ? `${path}?${query}` : path, headers: { ...headers, host }, body },
      (answer) => {
        this.#over = true;
        this.#connection = null;
        this.#requests.giveBack(connection);
        const asked = proxyAsksIn(answer);
        if (asked) this.fail(asked);
        else this.#resolve(answer);
      },
      (error) => this.#failed(connection, error),
    );
  }

  drop(error: Error): void {
    this.#over = true;
    this.#byNode?.drop(error);
    if (this.#connection) this.#requests.end(this.#connection, error);
    this.fail(error);
  }

  dropIfStalled(now: number): void {
    if (this.#byNode) this.#byNode.dropIfStalled(now);
    else if (now - this.#movedAt > this.#options.stallMs)
      this.drop(new StorageError({ code: 'Stalled', message: 'No byte moved.' }));
  }

  /** As of large requests: one that was kept and closed meanwhile says nothing, and it goes once more. */
  #failed(connection: SmallConnection, error: Error): void {
    this.#connection = null;
    this.#requests.end(connection, error);
    if (error instanceof RejectedAnswer && !this.#over) {
      this.#byNode = this.#requests.sendByNode(this.#what);
      this.#byNode.answer.then(this.#resolve, this.fail);
      return;
    }
    const closed = 'code' in error && closedCodes.has(error.code);
    if (!closed || !connection.wasKept || connection.hasHeard || this.#over || this.#secondTry) {
      this.#over = true;
      this.fail(error);
      return;
    }
    this.#secondTry = true;
    // Those that were kept beside it are as old.
    this.#requests.dropIdle();
    this.begin();
  }
}
