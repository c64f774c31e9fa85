import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { safeConnection } from '../agents/agents.ts';
import { onRoundTrip } from '../round-trip.ts';
import type { CallAnswer } from '../storage-answer.ts';
import { StorageError } from '../storage-error.ts';
import { type ConnectionOptions, maxAnswer, maxHeaders, RejectedAnswer } from './storage-request.ts';

/** Idle connections close after this time, ms; storage may ask for less. */
const keptMs = 60_000;

/** Resumes TLS sessions for later connections to an address. */
export class TlsSessions {
  latest: Buffer | undefined;
}

interface SmallSending {
  readonly method: 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One connection that serves one request at a time. */
export class SmallConnection {
  readonly #client: Client;
  #socket: Socket | null = null;
  #served = 0;
  #readBefore = 0;

  constructor(options: ConnectionOptions, sessions: TlsSessions) {
    const { address } = options;
    // Stalls are detected by the caller.
    this.#client = new Client(`${address.secure ? 'https' : 'http'}://${address.host}`, {
      ...{ allowH2: false, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: maxHeaders },
      ...{ keepAliveTimeout: keptMs, keepAliveMaxTimeout: keptMs },
      connect: (_, connectCallback) => {
        const socket = connectTo(options, sessions);
        this.#socket = socket;
        this.#served = 0;
        const handleFailure = (error: Error) => connectCallback(error, null);
        socket.once('error', handleFailure);
        socket.once(address.secure ? 'secureConnect' : 'connect', () => {
          socket.off('error', handleFailure);
          connectCallback(null, socket);
        });
      },
    });
  }

  get wasKept(): boolean {
    return this.#served > 0;
  }

  get hasHeard(): boolean {
    return (this.#socket?.bytesRead ?? 0) > this.#readBefore;
  }

  /** Calls exactly one of the two callbacks. */
  send(
    { method, path, headers, body }: SmallSending,
    onAnswer: (answer: CallAnswer) => void,
    onFailure: (error: Error) => void,
  ): void {
    const chunks: Buffer[] = [];
    let length = 0;
    let head: Pick<CallAnswer, 'status' | 'headers'> = { status: 0, headers: {} };
    this.#readBefore = this.#socket?.bytesRead ?? 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart: (_, status, responseHeaders) => {
        head = { status, headers: responseHeaders };
      },
      onResponseData: (controller, chunk) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length > maxAnswer)
          controller.abort(new StorageError({ message: 'The answer is longer than any of storage.' }));
      },
      onResponseEnd: () => {
        this.#served += 1;
        onAnswer({ ...head, body: Buffer.concat(chunks).toString('utf8') });
      },
      onResponseError: (_, error) => onFailure(toNodeError(error)),
    };
    this.#client.dispatch({ method, path, headers, body }, handler);
  }

  end(error: Error): void {
    this.#client.destroy(error).catch(() => {});
  }
}

function connectTo(
  { address, secureContext, onRoundTrip: reportRoundTrip }: ConnectionOptions,
  sessions: TlsSessions,
) {
  const { hostname: host, port } = address;
  const endpoint = { host, port, noDelay: true, ...safeConnection };
  const socket = address.secure
    ? connectSecure({
        ...endpoint,
        ...(isIP(host) ? {} : { servername: host }),
        ...(secureContext ? { secureContext } : {}),
        ...(sessions.latest ? { session: sessions.latest } : {}),
      })
    : connectPlain(endpoint);
  socket.on('session', (session: Buffer) => {
    sessions.latest = session;
  });
  onRoundTrip(socket, reportRoundTrip);
  return socket;
}

function toNodeError(error: Error): Error {
  const code = 'code' in error ? String(error.code) : '';
  // Undici rejects an unexpected 100 Continue, which clients should ignore (RFC 9110 15.2).
  const isRejected =
    error.name === 'HTTPParserError' || (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad '));
  if (isRejected) return new RejectedAnswer(error.message, { cause: error });
  return code === 'UND_ERR_SOCKET'
    ? Object.assign(new Error('socket hang up', { cause: error }), { code: 'ECONNRESET' })
    : error;
}
