import type { ClientRequest, Agent as HttpAgent, IncomingMessage } from 'node:http';
import { endIdle } from '../agents/agents.ts';
import { httpRequest, httpsRequest } from '../agents/node-http.ts';
import { proxyAsksIn, proxyFault, proxyGone } from '../connection-fault.ts';
import { onRoundTrip } from '../round-trip.ts';
import type { CallAnswer } from '../storage-answer.ts';
import { StorageError } from '../storage-error.ts';
import { type BodyPass, passOf } from './request-body.ts';
import {
  type ConnectionOptions,
  closedCodes,
  maxAnswer,
  maxHeaders,
  type StorageRequest,
  smallBody,
  type WatchedFlight,
} from './storage-request.ts';

/**
 * A body goes in slices sized by how fast they leave: few on a fast network, visible movement on a slow one.
 */
const smallestSlice = smallBody;
const largestSlice = 1024 * 1024;
const quickMs = 50;
/** Bytes of an answer that count as movement: one that gives a byte now and then would never end. */
const leastMovement = 16 * 1024;

/** One request, by Node's own client: of any size, by any way, under a limit. */
export class RequestFlight implements WatchedFlight {
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
      maxHeaderSize: maxHeaders,
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
    request.once('response', (response) => this.#read(request, response));
    if (body === null) {
      request.end();
    } else if (!('begin' in body) && body.length <= smallBody && !tokens.limited) {
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
  #read(request: ClientRequest, response: IncomingMessage): void {
    const chunks: Buffer[] = [];
    let length = 0;
    let moved = 0;
    const end = () => {
      this.#over = true;
      if (!request.writableFinished) request.destroy();
    };
    const fail = (error: Error) => {
      end();
      this.#fail(error);
    };
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxAnswer)
        response.destroy(new StorageError({ message: 'The answer is longer than any of storage.' }));
      chunks.push(chunk);
      if (length - moved < leastMovement) return;
      moved = length;
      this.#movedAt = performance.now();
    });
    response.once('error', fail);
    response.once('close', () => fail(new Error('the answer ended early')));
    response.once('end', () => {
      end();
      const { statusCode: status = 0, headers } = response;
      const answer = { status, headers, body: Buffer.concat(chunks).toString('utf8') };
      const asked = proxyAsksIn(answer);
      if (asked) this.#fail(asked);
      else this.#resolve(answer);
    });
  }
}
