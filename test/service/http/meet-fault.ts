import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { FaultAction } from '../model.ts';
import type { Exchange } from './exchange.ts';
import type { Listener } from './listener.ts';

interface Surroundings {
  readonly signal: AbortSignal;
  /** Resolves when the faults are cleared next. */
  readonly cleared: () => Promise<void>;
  readonly standIn: Listener['standIn'];
}

/**
 * Applies a fault to a request. Returns true if the work is still to be done. Rejects when `signal` aborts.
 */
export async function meetFault(
  action: FaultAction,
  exchange: Exchange,
  { signal, cleared, standIn }: Surroundings,
): Promise<boolean> {
  switch (action.kind) {
    case 'status':
      // Reads the body first: a response in the middle of it is another fault, which clients treat
      // differently.
      await finished(exchange.body().resume());
      exchange.response.writeHead(action.status, action.headers).end(action.body);
      return false;
    case 'stall':
      if (action.afterBytes === undefined) exchange.body().resume();
      else await readBytes(exchange, action.afterBytes);
      return false;
    case 'cut-request':
      await readBytes(exchange, action.afterBytes);
      reset(exchange.request.socket);
      return false;
    case 'delay':
      await sleep(action.ms, undefined, { signal });
      return true;
    case 'hold':
      await unlessAborted(cleared(), signal);
      return true;
    case 'cut-answer':
      cutAnswer(exchange.response, action.afterBytes);
      return true;
    case 'throttle':
      exchange.wrapBody((body) => throttle(body, action.bytesPerSecond, signal));
      return true;
    case 'corrupt-request':
      exchange.wrapBody((body) => corrupt(body, action.atByte));
      return true;
    case 'interim-answers':
      for (const status of action.statuses)
        exchange.response.socket?.write(`HTTP/1.1 ${status} Interim\r\n\r\n`);
      return true;
    case 'edit-answer':
      editAnswer(exchange.response, action);
      return true;
    case 'raw':
      await finished(exchange.body().resume());
      writeRaw(exchange.request.socket, Buffer.from(action.base64, 'base64'), action.ending);
      return false;
    case 'impostor':
      standIn(action.connections, cleared());
      return false;
  }
}

function editAnswer(
  response: ServerResponse,
  { headers: edits = {}, body }: Extract<FaultAction, { kind: 'edit-answer' }>,
): void {
  const writeHead = response.writeHead.bind(response);
  const end = response.end.bind(response);
  response.writeHead = ((status: number, headers: Record<string, string> = {}) => {
    for (const [name, value] of [...Object.entries(headers), ...Object.entries(edits)])
      if (value === null) response.removeHeader(name);
      else response.setHeader(name, value);
    return writeHead(status);
  }) as typeof response.writeHead;
  if (body)
    response.end = ((bytes?: Buffer) =>
      end(bytes?.toString().replace(new RegExp(body[0]), body[1]))) as typeof response.end;
}

/** A TLS connection has no reset, so it is closed. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Bypasses the HTTP layer, which would add headers. */
function writeRaw(socket: Socket, bytes: Buffer, closeKind: 'close' | 'reset'): void {
  if (closeKind === 'close') socket.end(bytes);
  else socket.write(bytes, () => setImmediate(() => reset(socket)));
}

function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve);
  });
}

async function readBytes(exchange: Exchange, bytes: number): Promise<void> {
  if (bytes === 0) return;
  let arrivedBytes = 0;
  for await (const chunk of exchange.body().iterator({ destroyOnReturn: false })) {
    arrivedBytes += (chunk as Buffer).length;
    if (arrivedBytes >= bytes) return;
  }
}

/** Counts on the socket, so that bytes of head and body both count. */
function cutAnswer(response: ServerResponse, afterBytes: number): void {
  const socket = response.socket;
  if (!socket) return;
  const write = socket.write.bind(socket);
  let bytesLeft = afterBytes;
  const cutConnection = () => reset(socket);
  socket.write = ((chunk: string | Uint8Array, encoding: BufferEncoding, callback?: () => void) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    // "100 Continue" isn't part of the response.
    if (typeof chunk === 'string' && chunk.startsWith('HTTP/1.1 100 ')) return write(bytes, callback);
    if (bytesLeft > bytes.length) {
      bytesLeft -= bytes.length;
      return write(bytes, callback);
    }
    const lastBytes = bytes.subarray(0, bytesLeft);
    bytesLeft = 0;
    if (lastBytes.length > 0) write(lastBytes, cutConnection);
    else setImmediate(cutConnection);
    return true;
  }) as typeof socket.write;
  response.once('finish', () => setImmediate(cutConnection));
}

function throttle(body: Readable, bytesPerSecond: number, signal: AbortSignal): Readable {
  async function* slowly() {
    for await (const chunk of body) {
      await sleep(((chunk as Buffer).length / bytesPerSecond) * 1000, undefined, { signal });
      yield chunk;
    }
  }
  return Readable.from(slowly(), { objectMode: false });
}

function corrupt(body: Readable, atByte: number): Readable {
  async function* flipped() {
    let at = 0;
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk as Buffer);
      const byteHere = bytes[atByte - at];
      if (byteHere !== undefined) bytes[atByte - at] = byteHere ^ 1;
      at += bytes.length;
      yield bytes;
    }
  }
  return Readable.from(flipped(), { objectMode: false });
}
