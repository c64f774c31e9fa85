import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { SecureContext } from 'node:tls';
import { proxyAsks, proxyFault } from './proxy-fault.ts';
import type { StorageAddress } from './storage-address.ts';
import type { CallAnswer } from './storage-call.ts';
import { StorageError } from './storage-error.ts';
import type { TokenTaker } from './throttle.ts';

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
  /** Further bytes were handed to the connection. */
  readonly onSent: (bytes: number) => void;
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

/** Connections to storage that are kept between requests, over `node:http` and `node:https`, and a watch over all that stand still. */
export class StorageLine {
  readonly #options: LineOptions;
  #agent: HttpAgent | HttpsAgent;
  #proxy: string | null = null;
  readonly #flights = new Set<LineFlight>();
  readonly #watch: NodeJS.Timeout;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#agent = makeAgent(options, null);
    this.#watch = setInterval(() => this.#dropStalled(), Math.max(10, options.stallMs / 10)).unref();
  }

  /** From now on over that proxy, a URL with the user's name and password where it wants them; null for straight. What is under way the old way fails. */
  reroute(proxy: string | null): void {
    if (proxy === this.#proxy) return;
    this.#proxy = proxy;
    this.#agent.destroy();
    this.#agent = makeAgent(this.#options, proxy);
  }

  send(request: LineRequest): Flight {
    const flight = new LineFlight(request, this.#options, this.#agent, this.#proxy);
    this.#flights.add(flight);
    const forget = () => this.#flights.delete(flight);
    flight.answer.then(forget, forget);
    return flight;
  }

  close(): void {
    clearInterval(this.#watch);
    for (const flight of this.#flights) flight.drop(new Error('the line was closed'));
    this.#agent.destroy();
  }

  #dropStalled(): void {
    const before = performance.now() - this.#options.stallMs;
    for (const flight of this.#flights) {
      if (flight.movedAt < before)
        flight.drop(new StorageError({ code: 'Stalled', message: 'No byte moved.' }));
    }
  }
}

/** Over a proxy Node's own agent tunnels to HTTPS (`CONNECT`, RFC 9110 9.3.6) and asks for HTTP in absolute form (RFC 9112 3.2.2). */
function makeAgent({ address, secureContext }: LineOptions, proxy: string | null): HttpAgent | HttpsAgent {
  const pool = {
    keepAlive: true,
    scheduling: 'lifo' as const,
    noDelay: true,
    ...(proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  };
  if (!address.secure) return new HttpAgent(pool);
  return new HttpsAgent({ ...pool, ...(secureContext ? { secureContext } : {}) });
}

class LineFlight implements Flight {
  readonly answer: Promise<CallAnswer>;
  movedAt = performance.now();
  readonly #request;
  #over = false;

  constructor(
    { method, path, headers, body, onSent }: LineRequest,
    { address, tokens }: LineOptions,
    agent: HttpAgent,
    proxy: string | null,
  ) {
    const make = address.secure ? httpsRequest : httpRequest;
    this.#request = make({
      agent,
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
    this.answer = new Promise((resolve, reject) => {
      this.#request.once('error', (error) => {
        this.#over = true;
        reject(proxy === null ? error : (proxyFault(error, new URL(proxy)) ?? error));
      });
      this.#request.once('response', (response) => {
        const take = (answer: CallAnswer) => {
          if (answer.status !== 407) resolve(answer);
          else reject(proxyAsks(answer.headers['proxy-authenticate']));
        };
        this.#read(response).then(take, reject);
      });
    });
    if (body === null) {
      this.#request.end();
    } else if (body.length <= smallestSlice && !tokens.limited) {
      // So little is gone before it is worth telling.
      this.#request.end(body);
    } else {
      void this.#write(body, tokens, onSent);
    }
  }

  drop(error: Error): void {
    this.#request.destroy(error);
  }

  async #write(body: Buffer, tokens: TokenTaker, onSent: (bytes: number) => void): Promise<void> {
    let slice = smallestSlice;
    for (let at = 0; at < body.length && !this.#over; ) {
      const count = tokens.take(Math.min(slice, body.length - at));
      if (count === 0) {
        await new Promise((resolve) => setTimeout(resolve, throttledMs));
        this.movedAt = performance.now();
        continue;
      }
      const began = performance.now();
      const bytes = body.subarray(at, at + count);
      // An error is told by the request itself.
      await new Promise((resolve) => this.#request.write(bytes, resolve));
      at += count;
      onSent(count);
      this.movedAt = performance.now();
      slice =
        this.movedAt - began < quickMs
          ? Math.min(largestSlice, slice * 2)
          : Math.max(smallestSlice, slice / 2);
    }
    if (!this.#over) this.#request.end();
  }

  /** An answer before the body's end is an answer too, but its connection is of no more use. */
  async #read(response: IncomingMessage): Promise<CallAnswer> {
    const chunks: Buffer[] = [];
    let length = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        this.movedAt = performance.now();
        length += chunk.length;
        if (length <= mostAnswer) chunks.push(chunk);
      }
    } finally {
      this.#over = true;
      if (!this.#request.writableFinished) this.#request.destroy();
    }
    const body = Buffer.concat(chunks).toString('utf8');
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }
}
