import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { SecureContext } from 'node:tls';
import type { StorageAddress } from '../storage-address.ts';
import type { CallAnswer } from '../storage-call.ts';
import { StorageError } from '../storage-error.ts';
import type { TokenTaker } from '../throttle.ts';
import { proxyAsks, proxyFault, proxyGone } from './proxy-fault.ts';
import { safeConnection } from './safe-connection.ts';
import { SocksAgent } from './socks-agent.ts';

export interface LineOptions {
  readonly address: StorageAddress;
  /** Whom to trust, made once for all connections: reading a few hundred certificates takes its time. Undefined for plain HTTP. */
  readonly secureContext: SecureContext | undefined;
  readonly tokens: TokenTaker;
  /** A request that moves no byte for this long is dropped. */
  readonly stallMs: number;
}

export interface LineRequest {
  readonly method: string;
  /** With its query, as it goes on the wire. */
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Null for none. */
  readonly body: Buffer | null;
  /** The way, a URL with the user's name and password where it wants them; null for straight. */
  readonly proxy: string | null;
  /** Further bytes were handed to the connection. */
  readonly onSent: (bytes: number) => void;
  /** How long its answer may give no byte once it has left whole, ms. Null: `LineOptions.stallMs`. */
  readonly answerMs: number | null;
}

/** A request under way. */
export interface Flight {
  readonly answer: Promise<CallAnswer>;
  /** Ends it with that error, at once. */
  drop(error: Error): void;
}

/** A body goes in slices whose size follows how fast they leave: few for a fast line, visible movement on a slow one. */
const smallestSlice = 64 * 1024;
const largestSlice = 1024 * 1024;
const quickMs = 50;
const throttledMs = 20;
/** Of an answer; the longest is a page of ListParts, some hundred KiB. */
const mostAnswer = 4 * 1024 * 1024;
/** Bytes of an answer that count as movement: one that gives a byte now and then would never end. */
const leastMovement = 16 * 1024;

/** Connections to storage that are kept between requests, over `node:http` and `node:https`, and a watch over all that stand still. */
export class StorageLine {
  readonly #options: LineOptions;
  /** One for each way: what is under way by one goes on when another is taken. */
  readonly #agents = new Map<string | null, HttpAgent>();
  readonly #flights = new Set<LineFlight>();
  readonly #watch: NodeJS.Timeout;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#watch = setInterval(() => this.#dropStalled(), Math.max(10, options.stallMs / 10)).unref();
  }

  send(request: LineRequest): Flight {
    const { proxy } = request;
    const agent = this.#agents.get(proxy) ?? makeAgent(this.#options, proxy);
    this.#agents.set(proxy, agent);
    const flight = new LineFlight(request, this.#options, agent);
    this.#flights.add(flight);
    const forget = () => this.#flights.delete(flight);
    flight.answer.then(forget, forget);
    return flight;
  }

  /** Ends the connections that nothing uses just now: after sleep, or in another network, nobody answers on them any more. */
  dropIdle(): void {
    for (const agent of this.#agents.values()) endIdle(agent);
  }

  close(): void {
    clearInterval(this.#watch);
    for (const flight of this.#flights) flight.drop(new Error('the line was closed'));
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #dropStalled(): void {
    const now = performance.now();
    for (const flight of this.#flights) flight.dropIfStalled(now);
  }
}

/** Over an HTTP proxy Node's own agent tunnels to HTTPS (`CONNECT`, RFC 9110 9.3.6) and asks for HTTP in absolute form (RFC 9112 3.2.2). */
function makeAgent({ address, secureContext }: LineOptions, proxy: string | null): HttpAgent {
  const pool = {
    keepAlive: true,
    scheduling: 'lifo' as const,
    noDelay: true,
    ...safeConnection,
    ...(secureContext ? { secureContext } : {}),
  };
  if (proxy?.startsWith('socks')) return new SocksAgent(new URL(proxy), pool);
  const proxyEnv = proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } };
  return new (address.secure ? HttpsAgent : HttpAgent)({ ...pool, ...proxyEnv });
}

function endIdle(agent: HttpAgent): void {
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}

/** What a kept connection says when the other side had closed it before our request came. */
const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

class LineFlight implements Flight {
  readonly answer: Promise<CallAnswer>;
  readonly #what: LineRequest;
  readonly #options: LineOptions;
  readonly #agent: HttpAgent;
  readonly #proxy: URL | null;
  readonly #beganAt = performance.now();
  readonly #resolve: (answer: CallAnswer) => void;
  readonly #fail: (error: Error) => void;
  #request: ClientRequest;
  #movedAt = this.#beganAt;
  #sent = 0;
  #secondTry = false;
  /** Bytes that its connection had brought before it. */
  #readBefore = 0;
  #over = false;

  constructor(what: LineRequest, options: LineOptions, agent: HttpAgent) {
    this.#what = what;
    this.#options = options;
    this.#agent = agent;
    this.#proxy = what.proxy === null ? null : new URL(what.proxy);
    const { promise, resolve, reject } = Promise.withResolvers<CallAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#fail = reject;
    this.#request = this.#send();
  }

  #send(): ClientRequest {
    const { method, path, headers, body } = this.#what;
    const { address, tokens } = this.#options;
    const make = address.secure ? httpsRequest : httpRequest;
    const request = make({
      agent: this.#agent,
      method,
      hostname: address.hostname,
      port: address.port,
      path,
      headers: {
        ...headers,
        host: address.host,
        ...(body === null ? {} : { 'content-length': body.length }),
      },
    });
    request.once('socket', ({ bytesRead }) => {
      this.#readBefore = bytesRead;
    });
    request.once('error', (error) => {
      if (this.#goesAgain(request, error)) return;
      this.#over = true;
      this.#fail((this.#proxy && proxyFault(error, this.#proxy, this.#connected)) ?? error);
    });
    request.once('response', (response) => {
      const take = (answer: CallAnswer) => {
        if (answer.status !== 407) this.#resolve(answer);
        else this.#fail(proxyAsks(answer.headers['proxy-authenticate']));
      };
      this.#read(request, response).then(take, this.#fail);
    });
    if (body === null) {
      request.end();
    } else if (body.length <= smallestSlice && !tokens.limited) {
      // So little is gone before it is worth telling.
      request.end(body);
    } else {
      void this.#write(request, body);
    }
    return request;
  }

  /**
   * The other side had closed a connection that was kept for the next request. That says nothing about storage or the line: the request goes
   * once more, on a new connection, and nobody is told. It may: the same bytes under the same name change nothing when they come twice.
   */
  #goesAgain(request: ClientRequest, error: Error): boolean {
    const closed = request.reusedSocket && 'code' in error && closedCodes.has(error.code);
    const silent = request.socket?.bytesRead === this.#readBefore;
    // RFC 9110 9.2.2: what makes something new with each request is for others to decide.
    if (!closed || !silent || this.#over || this.#secondTry || request.method === 'POST') return false;
    this.#secondTry = true;
    // Those that were kept beside it are as old.
    endIdle(this.#agent);
    if (this.#sent > 0) this.#what.onSent(-this.#sent);
    this.#sent = 0;
    this.#movedAt = performance.now();
    this.#request = this.#send();
    return true;
  }

  drop(error: Error): void {
    this.#over = true;
    this.#request.destroy(error);
    // A request that still waits for its connection would say nothing until it has one.
    this.#fail(error);
  }

  /** A proxy has half of the time to make the connection: another may be quicker. */
  dropIfStalled(now: number): void {
    if (this.#proxy && !this.#connected && now - this.#beganAt > this.#options.stallMs / 2)
      this.drop(proxyGone(this.#proxy, 'No connection'));
    else if (now - this.#movedAt > this.#patienceMs)
      this.drop(new StorageError({ code: 'Stalled', message: 'No byte moved.' }));
  }

  /** An answer may take longer once the request has left whole. */
  get #patienceMs(): number {
    const { stallMs } = this.#options;
    return this.#request.writableFinished ? (this.#what.answerMs ?? stallMs) : stallMs;
  }

  /** The way to storage stands, or stood. */
  get #connected(): boolean {
    const { socket } = this.#request;
    return Boolean(socket) && !socket?.connecting;
  }

  async #write(request: ClientRequest, body: Buffer): Promise<void> {
    const { tokens } = this.#options;
    const isOver = () => this.#over || request.destroyed;
    let slice = smallestSlice;
    for (let at = 0; at < body.length && !isOver(); ) {
      const count = tokens.take(Math.min(slice, body.length - at));
      if (count === 0) {
        await new Promise((resolve) => setTimeout(resolve, throttledMs));
        this.#movedAt = performance.now();
        continue;
      }
      const began = performance.now();
      const bytes = body.subarray(at, at + count);
      // An error is told by the request itself.
      await new Promise((resolve) => request.write(bytes, resolve));
      if (isOver()) return;
      at += count;
      this.#sent += count;
      this.#what.onSent(count);
      this.#movedAt = performance.now();
      slice =
        this.#movedAt - began < quickMs
          ? Math.min(largestSlice, slice * 2)
          : Math.max(smallestSlice, slice / 2);
    }
    if (!isOver()) request.end();
  }

  /** An answer before the body's end is an answer too, but its connection is of no more use. */
  async #read(request: ClientRequest, response: IncomingMessage): Promise<CallAnswer> {
    const chunks: Buffer[] = [];
    let length = 0;
    let moved = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > mostAnswer)
          throw new StorageError({ message: 'The answer is longer than any of storage.' });
        chunks.push(chunk);
        if (length - moved < leastMovement) continue;
        moved = length;
        this.#movedAt = performance.now();
      }
    } finally {
      this.#over = true;
      if (!request.writableFinished) request.destroy();
    }
    const body = Buffer.concat(chunks).toString('utf8');
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }
}
