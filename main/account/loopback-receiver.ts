import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parseCallback } from './callback.ts';

/** Where the browser returns to on this computer (RFC 8252 7.3), while a sign-in waits for it. */
export interface CallbackReceiver {
  /** `http://127.0.0.1:<port>/oauth/callback`, to be registered and sent along as it is. */
  readonly redirectUri: string;
  /** Takes no further callback; an answer that is under way is still given. */
  close(): void;
}

/** Takes a callback. False, and nothing happens, if it is not of the sign-in that waits. */
export type OnCallback = (address: string) => boolean;

/**
 * Opens a receiver, or gives null where the browser returns by our scheme. `port` is that of a receiver from
 * before a restart; without it any free one is taken. Rejects when it can't listen.
 */
export type OpenCallbackReceiver = (
  onCallback: OnCallback,
  port?: number,
) => Promise<CallbackReceiver | null>;

const callbackPath = '/oauth/callback';

/**
 * Headers of a browser fit into far less; a request that takes longer than this (ms) is none of a browser.
 */
const maxHeaderBytes = 16_384;
const requestLimitMs = 10_000;
const checkEveryMs = 1_000;
const maxConnections = 8;

/**
 * Listens on 127.0.0.1 alone. The first callback that `onCallback` takes is answered with `page` and ends the
 * listening. Everything else (another path or method, a name that only resolves to this computer, a request
 * that a page makes instead of the person, a malformed callback, another state) is answered with a bare
 * status and changes nothing.
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
    // The oldest makes room: whoever holds connections open doesn't keep the browser out.
    const [oldest] = connections;
    if (connections.size > maxConnections) oldest?.destroy();
  });
  const origin = await listen(server, port);
  const redirectUri = `${origin}${callbackPath}`;
  const close = () => {
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
    close();
    response.writeHead(200, pageHeaders).end(page());
  });
  return { redirectUri, close };
}

/** Whether the browser goes to the address itself, as far as it says so: an image or a frame does not. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': place = 'document' } = headers;
  return mode === 'navigate' && place === 'document';
}

/** The page may do nothing, is kept by nobody, and does not tell the next one where it was. */
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

/** The port of a redirect address of ours on this computer; null for the scheme's. */
export function loopbackPort(redirectUri: string): number | null {
  const found = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/oauth\/callback$/.exec(redirectUri);
  return found ? Number(found[1]) : null;
}
