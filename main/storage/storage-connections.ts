import type { ClientRequest, Agent as HttpAgent, IncomingMessage } from 'node:http';
import type { SecureContext } from 'node:tls';
import { createAgent, endIdle } from './agents/agents.ts';
import { httpRequest, httpsRequest } from './agents/node-http.ts';
import { proxyAsks, proxyFault, proxyGone } from './connection-fault.ts';
import type { StorageCall } from './control-requests.ts';
import { type BodyPass, passOf, type StreamedBody } from './request-body.ts';
import { onRoundTrip } from './round-trip.ts';
import type { Signer } from './sigv4.ts';
import type { StorageAddress } from './storage-address.ts';
import type { CallAnswer } from './storage-answer.ts';
import { StorageError } from './storage-error.ts';
import type { TokenTaker } from './throttle.ts';

interface ConnectionOptions {
  readonly address: StorageAddress;
  readonly signer: Signer;
  /**
   * Trusted authorities, loaded once for all connections: a few hundred take time. Undefined for plain HTTP.
   */
  readonly secureContext: SecureContext | undefined;
  readonly tokens: TokenTaker;
  /** A request that moves no byte for this long is dropped. */
  readonly stallMs: number;
  /** Storage's time as far as it is known, ms since the epoch. */
  readonly now: () => number;
  /** A connection was made, see `onRoundTrip`. */
  readonly onRoundTrip: (ms: number) => void;
}

/** A request on its way: a part, or any other. */
export interface StorageRequest extends Omit<StorageCall, 'body'> {
  /** Null for none. */
  readonly body: Buffer | StreamedBody | null;
  /** The way, a URL with the user's name and password where it wants them; null for straight. */
  readonly proxy: string | null;
  /** Further bytes were handed to the connection. */
  readonly onSent: (bytes: number) => void;
}

/** A request under way. */
export interface Flight {
  readonly answer: Promise<CallAnswer>;
  /** Ends it with that error, at once. */
  drop(error: Error): void;
}

/**
 * A body goes in slices sized by how fast they leave: few on a fast network, visible movement on a slow one.
 */
const smallestSlice = 64 * 1024;
const largestSlice = 1024 * 1024;
const quickMs = 50;
/** Of an answer; the longest is a page of ListParts, some hundred KiB. */
const maxAnswer = 4 * 1024 * 1024;
/** Bytes of an answer that count as movement: one that gives a byte now and then would never end. */
const leastMovement = 16 * 1024;

/**
 * Signs requests and sends them to one address, over connections that are kept between them, and watches over
 * all that stand still.
 */
export class StorageConnections {
  readonly #options: ConnectionOptions;
  /** One for each way: what is under way by one continues when another is taken. */
  readonly #agents = new Map<string | null, HttpAgent>();
  readonly #flights = new Set<RequestFlight>();
  readonly #watch: NodeJS.Timeout;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#watch = setInterval(() => this.#dropStalled(), Math.max(10, options.stallMs / 10)).unref();
  }

  get address(): StorageAddress {
    return this.#options.address;
  }

  send(request: StorageRequest): Flight {
    const { address, secureContext } = this.#options;
    const { proxy } = request;
    const agent = this.#agents.get(proxy) ?? createAgent(address.secure, secureContext, proxy);
    this.#agents.set(proxy, agent);
    const flight = new RequestFlight(request, this.#options, agent);
    this.#flights.add(flight);
    const forget = () => this.#flights.delete(flight);
    flight.answer.then(forget, forget);
    return flight;
  }

  /** Ends unused connections: after sleep, or on another network, nobody answers on them any more. */
  dropIdle(): void {
    for (const agent of this.#agents.values()) endIdle(agent);
  }

  close(): void {
    clearInterval(this.#watch);
    for (const flight of this.#flights) flight.drop(new Error('the connections were closed'));
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #dropStalled(): void {
    const now = performance.now();
    for (const flight of this.#flights) flight.dropIfStalled(now);
  }
}

/** What a kept connection says when the other side had closed it before our request came. */
const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

class RequestFlight implements Flight {
  readonly answer: Promise<CallAnswer>;
  readonly #what: StorageRequest;
  readonly #options: ConnectionOptions;
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

  constructor(what: StorageRequest, options: ConnectionOptions, agent: HttpAgent) {
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
    const { method, query, body } = this.#what;
    const { address, signer, tokens, now } = this.#options;
    const { host } = address;
    const path = address.base + this.#what.path;
    const headers = signer.headers({ method, host, path, query, headers: this.#what.headers, at: now() });
    const make = address.secure ? httpsRequest : httpRequest;
    const request = make({
      agent: this.#agent,
      method,
      hostname: address.hostname,
      port: address.port,
      path: query ? `${path}?${query}` : path,
      headers: {
        ...headers,
        host,
        ...(body === null ? {} : { 'content-length': body.length }),
      },
    });
    request.once('socket', (socket) => {
      this.#readBefore = socket.bytesRead;
      if (!this.#proxy) onRoundTrip(socket, this.#options.onRoundTrip);
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
    } else if (!('begin' in body) && body.length <= smallestSlice && !tokens.limited) {
      // So little is gone before it is worth telling.
      request.end(body);
    } else {
      void this.#write(request, passOf(body), body.length);
    }
    return request;
  }

  /**
   * The other side had closed a connection that was kept for the next request. That says nothing about
   * storage or the network: the request goes once more, on a new connection, and nobody is told. It may: the
   * same bytes under the same name change nothing when they come twice.
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

  async #write(request: ClientRequest, pass: BodyPass, length: number): Promise<void> {
    const { tokens } = this.#options;
    const isOver = () => this.#over || request.destroyed;
    let slice = smallestSlice;
    for (let at = 0; at < length && !isOver(); ) {
      const count = tokens.take(Math.min(slice, length - at));
      if (count === 0) {
        await tokens.turn();
        this.#movedAt = performance.now();
        continue;
      }
      for (let left = count; left > 0; ) {
        const bytes = await this.#next(pass, left, isOver);
        if (bytes === null) return;
        const began = performance.now();
        // An error is told by the request itself.
        await new Promise((resolve) => request.write(bytes, resolve));
        if (isOver()) return;
        at += bytes.length;
        left -= bytes.length;
        this.#sent += bytes.length;
        this.#what.onSent(bytes.length);
        this.#movedAt = performance.now();
        slice =
          this.#movedAt - began < quickMs
            ? Math.min(largestSlice, slice * 2)
            : Math.max(smallestSlice, slice / 2);
      }
    }
    if (!isOver()) request.end();
  }

  /** Null where nothing is wanted any more. */
  async #next(pass: BodyPass, most: number, isOver: () => boolean): Promise<Buffer | null> {
    try {
      const bytes = await pass.next(most);
      return isOver() ? null : bytes;
    } catch (thrown) {
      if (!isOver()) this.drop(thrown instanceof Error ? thrown : new Error(String(thrown)));
      return null;
    }
  }

  /** An answer before the body's end is an answer too, but its connection is of no more use. */
  async #read(request: ClientRequest, response: IncomingMessage): Promise<CallAnswer> {
    const chunks: Buffer[] = [];
    let length = 0;
    let moved = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > maxAnswer)
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
