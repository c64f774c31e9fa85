import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerCertificate } from '../model.ts';

export interface Listener {
  /** `http://127.0.0.1:<port>` or `https://…`, no trailing slash. */
  readonly url: string;
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
}

/** Called for each request; `waits` is true when the client sent `Expect: 100-continue` and holds its body back. */
export type OnRequest = (request: IncomingMessage, response: ServerResponse, waits: boolean) => void;

/**
 * Listens on 127.0.0.1, over HTTPS where there is a certificate. Rejects when the port is taken.
 * Time limits are off: slow uploads are the client's business, and faults hold connections open on purpose.
 */
export function listen(
  port: number,
  onRequest: OnRequest,
  certificate?: ServerCertificate,
): Promise<Listener> {
  const options = { requestTimeout: 0, keepAliveTimeout: 120_000, noDelay: true };
  const server = certificate ? createSecureServer({ ...options, ...certificate }) : createServer(options);
  server.on('request', (request, response) => onRequest(request, response, false));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    onRequest(request, response, true),
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port: taken } = server.address() as AddressInfo;
      resolve({
        url: `${certificate ? 'https' : 'http'}://127.0.0.1:${taken}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
