import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parseCallback } from './model/callback.ts';

/** A loopback server for the callback (RFC 8252 7.3). */
export interface CallbackReceiver {
  /** `http://127.0.0.1:<port>/oauth/callback`. */
  readonly redirectUri: string;
  /** The current response is still sent. */
  dispose(): void;
}

/** False: not the pending sign-in's callback. */
export type OnCallback = (address: string) => boolean;

/**
 * Null if our scheme is used; rejects if listening fails. `port` (0 for any): listens without regard to the
 * scheme.
 */
export type OpenCallbackReceiver = (
  onCallback: OnCallback,
  port?: number,
) => Promise<CallbackReceiver | null>;

const callbackPath = '/oauth/callback';

/** Bounds (times in ms) that no browser exceeds. */
const maxHeaderBytes = 16_384;
const requestLimitMs = 10_000;
const checkEveryMs = 1_000;
const maxConnections = 8;

/**
 * Listens on 127.0.0.1 until `onCallback` accepts a callback, answered with `page`. All other requests get a
 * bare error status.
 */
export async function openLoopbackReceiver(
  onCallback: OnCallback,
  page: () => string,
  port = 0,
): Promise<CallbackReceiver> {
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: requestLimitMs,
    requestTimeout: requestLimitMs,
    connectionsCheckingInterval: checkEveryMs,
  });
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    // Idle connections must not lock the browser out.
    const [oldest] = connections;
    if (connections.size > maxConnections) oldest?.destroy();
  });
  const origin = await listen(server, port);
  const redirectUri = `${origin}${callbackPath}`;
  const closeServer = () => {
    server.close();
    server.closeIdleConnections();
  };
  server.on('request', (request, response) => {
    response.setHeader('connection', 'close');
    const isOurs =
      request.method === 'GET' && `http://${request.headers.host}` === origin && isNavigation(request);
    const address = `${origin}${request.url}`;
    if (!isOurs || !server.listening || !parseCallback(address, redirectUri) || !onCallback(address)) {
      response.writeHead(isOurs ? 404 : 400).end();
      return;
    }
    closeServer();
    response.writeHead(200, pageHeaders).end(page());
  });
  return { redirectUri, dispose: closeServer };
}

function isNavigation({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  return mode === 'navigate' && destination === 'document';
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

/** Null for our scheme's address. */
export function loopbackPort(redirectUri: string): number | null {
  const match = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/oauth\/callback$/.exec(redirectUri);
  return match ? Number(match[1]) : null;
}
