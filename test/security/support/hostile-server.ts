import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as received. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export interface HostileServer {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly received: readonly Received[];
  /** Responds to the next requests. */
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
  stop(): Promise<void>;
}

/** A loopback server with any response that records every request. */
export async function startHostileServer(): Promise<HostileServer> {
  const receivedRequests: Received[] = [];
  const sockets = new Set<Socket>();
  const hostile: HostileServer = {
    origin: '',
    received: receivedRequests,
    answer: (_request, response) => response.end(),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  const server: Server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    response.on('error', () => {});
    const body = await text(request).catch(() => '');
    receivedRequests.push({ method, url, headers: { ...headers }, body });
    hostile.answer(request, response, body);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(hostile, { origin: `http://127.0.0.1:${port}` });
}

export const json = (value: unknown) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** Writes endlessly, at the reader's pace. */
export function endless(chunk: string | Buffer, beginning = '') {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(beginning);
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  };
}

/** Sends single bytes without end. */
export function dropBytes(everyMs: number) {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), everyMs);
    response.on('close', () => clearInterval(timer));
  };
}
