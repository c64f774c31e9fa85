import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Tells how long there and back takes, ms, once that new socket is connected: what its handshake of TCP took
 * or, if that is longer, that of TLS, since something on the way may have answered the first. Both take one
 * round trip at least. Says nothing of connections that were kept, or that lead over a proxy.
 */
export function onRoundTrip(socket: Socket, tell: (ms: number) => void): void {
  if (!socket.connecting) return;
  let began = performance.now();
  socket.once('lookup', () => {
    began = performance.now();
  });
  socket.once('connect', () => {
    const connectedAt = performance.now();
    const tcpMs = connectedAt - began;
    if (!(socket instanceof TLSSocket)) tell(tcpMs);
    else socket.once('secureConnect', () => tell(Math.max(tcpMs, performance.now() - connectedAt)));
  });
}
