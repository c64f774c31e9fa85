import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createDoor, isIPv6, type Server, type Socket } from 'node:net';
import type { ServerCertificate } from '../model.ts';

export interface Listener {
  /** `http://<host name>:<port>` or `https://…`, no trailing slash. */
  readonly url: string;
  /**
   * Drops all connections and, if it has a certificate, sends this many new ones to the impostor until
   * `untilResolved` resolves.
   */
  readonly standIn: (connections: number, untilResolved: Promise<void>) => void;
  close(): Promise<void>;
}

/**
 * Called for each request. `waitsForContinue`: the client sent `Expect: 100-continue` and holds its body
 * back.
 */
export type OnRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  waitsForContinue: boolean,
) => void;

interface ListenerPlace {
  readonly hostName?: string;
  /** For HTTPS; undefined for plain HTTP. */
  readonly certificate?: ServerCertificate | undefined;
  readonly impostorCertificate?: ServerCertificate | undefined;
}

/** No time limits, because uploads may be slow and faults hold connections open. */
const options = { requestTimeout: 0, keepAliveTimeout: 120_000, noDelay: true };

/**
 * Listens at this computer's address for `hostName`, by default 127.0.0.1. Rejects if the port is taken or
 * there is no such address.
 */
export function listen(
  port: number,
  onRequest: OnRequest,
  { certificate, impostorCertificate, hostName = '127.0.0.1' }: ListenerPlace = {},
): Promise<Listener> {
  const server = certificate ? createSecureServer({ ...options, ...certificate }) : createServer(options);
  server.on('request', (request, response) => onRequest(request, response, false));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    onRequest(request, response, true),
  );
  const impostor = impostorCertificate && openImpostor(impostorCertificate);
  const sockets = new Set<Socket>();
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  let toImpostor = 0;
  const door = createDoor({ noDelay: true, allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    if (impostor && toImpostor > 0) {
      toImpostor -= 1;
      impostor.emit('connection', socket);
    } else server.emit('connection', socket);
  });
  const standIn: Listener['standIn'] = (connections, untilResolved) => {
    toImpostor = connections;
    dropAll();
    void untilResolved.then(() => {
      toImpostor = 0;
    });
  };
  return new Promise((resolve, reject) => {
    door.once('error', reject);
    door.listen(port, hostName, () => {
      const { port: boundPort } = door.address() as AddressInfo;
      const host = isIPv6(hostName) ? `[${hostName}]` : hostName;
      resolve({
        url: `${certificate ? 'https' : 'http'}://${host}:${boundPort}`,
        standIn,
        close: () =>
          new Promise((resolve) => {
            door.close(() => resolve());
            dropAll();
          }),
      });
    });
  });
}

/** A foreign server that doesn't listen; connections are passed to it. */
function openImpostor(certificate: ServerCertificate): Server {
  const page = '<!DOCTYPE html><title>Sign in to the network</title>';
  return createSecureServer({ ...options, ...certificate }, (request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
  });
}
