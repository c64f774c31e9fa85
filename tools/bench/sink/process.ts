/**
 * Process of the stand-in: drops the bytes of requests and answers like S3. Started by `launch.ts`,
 * controlled over IPC.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { z } from 'zod';
import { openDoor } from '../door.ts';
import { orderSchema, type SinkReport } from './messages.ts';
import { RequestStream, type SeenRequest } from './request-stream.ts';
import { type SinkAnswer, SinkStorage } from './storage-answers.ts';

const settings = z
  .object({
    bucket: z.string(),
    certFile: z.string(),
    keyFile: z.string(),
    checksums: z.enum(['verify', 'ignore']),
    standardHost: z.string().nullable(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  400: 'Bad Request',
  404: 'Not Found',
};
const storage = new SinkStorage(settings.bucket, settings.checksums);
let requests = 0;
let firstByteAt: number | null = null;
let lastAnswerAt: number | null = null;
let cpuAtReset = process.cpuUsage();

function serve(socket: Socket): void {
  socket.setNoDelay(true);
  const stream = new RequestStream({
    onRequest: (request) => {
      requests += 1;
      write(socket, request, storage.answer(request));
      lastAnswerAt = currentTime();
    },
    onExpectation: () => socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
    onError: () => socket.destroy(),
  });
  socket.on('data', (piece: Buffer) => {
    firstByteAt ??= currentTime();
    stream.feed(piece);
  });
  // Clients drop connections when they are done, which loses nothing.
  socket.on('error', () => socket.destroy());
}

function write(socket: Socket, request: SeenRequest, { status, headers = {}, body = '' }: SinkAnswer): void {
  const lines = [`HTTP/1.1 ${status} ${reasons[status] ?? ''}`, `Date: ${httpDate()}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (status !== 204 && headers['Content-Length'] === undefined) {
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n${request.method === 'HEAD' ? '' : body}`);
}

let dateSecond = 0;
let dateText = '';

/** Cached for a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}

/** Ms of the clock that all processes share. */
function currentTime(): number {
  return performance.timeOrigin + performance.now();
}

function report(): SinkReport {
  const { user, system } = process.cpuUsage(cpuAtReset);
  return {
    kind: 'report',
    ...storage.totals(),
    requests,
    wireSeconds: firstByteAt === null || lastAnswerAt === null ? 0 : (lastAnswerAt - firstByteAt) / 1000,
    cpuSeconds: (user + system) / 1e6,
  };
}

function reset(): void {
  storage.clear();
  requests = 0;
  firstByteAt = null;
  lastAnswerAt = null;
  cpuAtReset = process.cpuUsage();
}

const standardAt = (port: 80 | 443) =>
  settings.standardHost === null ? null : { host: settings.standardHost, port };
const serverOptions = { cert: readFileSync(settings.certFile), key: readFileSync(settings.keyFile) };
const http = await openDoor(createServer(serve), standardAt(80));
const https = await openDoor(createTlsServer(serverOptions, serve), standardAt(443));

process.on('message', (message) => {
  const order = orderSchema.parse(message);
  const answer = report();
  if (order === 'reset') reset();
  process.send?.(answer);
});
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'listening', http, https });
