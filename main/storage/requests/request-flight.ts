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
  sign,
  smallBody,
  type WatchedFlight,
} from './storage-request.ts';

/** Large slices on fast networks, small ones with visible progress on slow ones. */
const smallestSlice = smallBody;
const largestSlice = 1024 * 1024;
const quickMs = 50;
/** Response bytes that count as movement; a trickling response would never end. */
const minMovement = 16 * 1024;

/** Sends one request by Node's client. */
export class RequestFlight implements WatchedFlight {
  readonly answer: Promise<CallAnswer>;
  readonly #order: StorageRequest;
  readonly #options: ConnectionOptions;
  readonly #agent: HttpAgent;
  readonly #proxy: URL | null;
  readonly #beganAt = performance.now();
  readonly #resolve: (answer: CallAnswer) => void;
  readonly #fail: (error: Error) => void;
  #request: ClientRequest;
  #movedAt = this.#beganAt;
  #sentBytes = 0;
  #secondTry = false;
  #readBefore = 0;
  #hasEnded = false;

  constructor(order: StorageRequest, options: ConnectionOptions, agent: HttpAgent) {
    this.#order = order;
    this.#options = options;
    this.#agent = agent;
    this.#proxy = order.proxy === null ? null : new URL(order.proxy);
    const { promise, resolve, reject } = Promise.withResolvers<CallAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#fail = reject;
    this.#request = this.#send();
  }

  #send(): ClientRequest {
    const { method, body } = this.#order;
    const { address, tokens } = this.#options;
    const { target, headers } = sign(this.#order, this.#options);
    const createRequest = address.secure ? httpsRequest : httpRequest;
    const request = createRequest({
      agent: this.#agent,
      method,
      hostname: address.hostname,
      port: address.port,
      maxHeaderSize: maxHeaders,
      path: target,
      headers: { ...headers, ...(body === null ? {} : { 'content-length': body.length }) },
    });
    request.once('socket', (socket) => {
      this.#readBefore = socket.bytesRead;
      if (!this.#proxy) onRoundTrip(socket, this.#options.onRoundTrip);
    });
    request.once('error', (error) => {
      if (this.#retryOnce(request, error)) return;
      this.#hasEnded = true;
      this.#fail((this.#proxy && proxyFault(error, this.#proxy, this.#isConnected)) ?? error);
    });
    request.once('response', (response) => this.#read(request, response));
    if (body === null) {
      request.end();
    } else if (!('beginPass' in body) && body.length <= smallBody && !tokens.isLimited) {
      // Too small for progress reports.
      request.end(body);
    } else {
      void this.#write(request, passOf(body), body.length);
    }
    return request;
  }

  /**
   * Retries once if the server had closed a kept connection: that says nothing about storage, and repeating a
   * PUT is harmless.
   */
  #retryOnce(request: ClientRequest, error: Error): boolean {
    const wasClosed = request.reusedSocket && 'code' in error && closedCodes.has(error.code);
    const wasSilent = request.socket?.bytesRead === this.#readBefore;
    // POST isn't idempotent (RFC 9110 9.2.2).
    if (!wasClosed || !wasSilent || this.#hasEnded || this.#secondTry || request.method === 'POST')
      return false;
    this.#secondTry = true;
    // Other idle connections are as old.
    endIdle(this.#agent);
    if (this.#sentBytes > 0) this.#order.onSent(-this.#sentBytes);
    this.#sentBytes = 0;
    this.#movedAt = performance.now();
    this.#request = this.#send();
    return true;
  }

  abort(error: Error): void {
    this.#hasEnded = true;
    this.#request.destroy(error);
    // A request waiting for its connection doesn't emit the error.
    this.#fail(error);
  }

  /** Proxies get half the time to connect, so that another can be tried. */
  dropIfStalled(nowMs: number): void {
    if (this.#proxy && !this.#isConnected && nowMs - this.#beganAt > this.#options.stallMs / 2)
      this.abort(proxyGone(this.#proxy, 'No connection'));
    else if (nowMs - this.#movedAt > this.#patienceMs)
      this.abort(new StorageError({ code: 'Stalled', message: 'No byte moved.' }));
  }

  get #patienceMs(): number {
    const { stallMs } = this.#options;
    return this.#request.writableFinished ? (this.#order.answerMs ?? stallMs) : stallMs;
  }

  get #isConnected(): boolean {
    const { socket } = this.#request;
    return Boolean(socket) && !socket?.connecting;
  }

  async #write(request: ClientRequest, bodyPass: BodyPass, length: number): Promise<void> {
    const { tokens } = this.#options;
    const hasEnded = () => this.#hasEnded || request.destroyed;
    let slice = smallestSlice;
    for (let offset = 0; offset < length && !hasEnded(); ) {
      const count = tokens.takeBytes(Math.min(slice, length - offset));
      if (count === 0) {
        await tokens.waitForTurn();
        this.#movedAt = performance.now();
        continue;
      }
      for (let bytesLeft = count; bytesLeft > 0; ) {
        const bytes = await this.#readBody(bodyPass, bytesLeft, hasEnded);
        if (bytes === null) return;
        const startedAt = performance.now();
        await new Promise((resolve) => request.write(bytes, resolve));
        if (hasEnded()) return;
        offset += bytes.length;
        bytesLeft -= bytes.length;
        this.#sentBytes += bytes.length;
        this.#order.onSent(bytes.length);
        this.#movedAt = performance.now();
        slice =
          this.#movedAt - startedAt < quickMs
            ? Math.min(largestSlice, slice * 2)
            : Math.max(smallestSlice, slice / 2);
      }
    }
    if (!hasEnded()) request.end();
  }

  async #readBody(bodyPass: BodyPass, maxBytes: number, hasEnded: () => boolean): Promise<Buffer | null> {
    try {
      const bytes = await bodyPass.read(maxBytes);
      return hasEnded() ? null : bytes;
    } catch (error) {
      if (!hasEnded()) this.abort(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  }

  #read(request: ClientRequest, response: IncomingMessage): void {
    const chunks: Buffer[] = [];
    let length = 0;
    let movedBytes = 0;
    const end = () => {
      this.#hasEnded = true;
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
      if (length - movedBytes < minMovement) return;
      movedBytes = length;
      this.#movedAt = performance.now();
    });
    response.once('error', fail);
    response.once('close', () => fail(new Error('the answer ended early')));
    response.once('end', () => {
      end();
      const { statusCode: status = 0, headers } = response;
      const answer = { status, headers, body: Buffer.concat(chunks).toString('utf8') };
      const loginFault = proxyAsksIn(answer);
      if (loginFault) this.#fail(loginFault);
      else this.#resolve(answer);
    });
  }
}
