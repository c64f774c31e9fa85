import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Reports the round trip (ms) of a new direct connection: the TCP handshake, or the TLS one if longer, since
 * a middlebox may answer the first.
 */
export function onRoundTrip(socket: Socket, report: (ms: number) => void): void {
  if (!socket.connecting) return;
  let startedAt = performance.now();
  socket.once('lookup', () => {
    startedAt = performance.now();
  });
  socket.once('connect', () => {
    const connectedAt = performance.now();
    const tcpMs = connectedAt - startedAt;
    if (!(socket instanceof TLSSocket)) report(tcpMs);
    else socket.once('secureConnect', () => report(Math.max(tcpMs, performance.now() - connectedAt)));
  });
}
