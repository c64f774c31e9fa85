import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A line whose uploads share one rate. */
export interface SlowLine {
  /** Address to connect to instead of the real one. */
  readonly url: string;
  close(): Promise<void>;
}

/** The line accepts bytes at this interval, ms. */
const stepMs = 20;

/** Forwards bytes to `target`, limited to a total rate in bytes/s; responses aren't limited. */
export async function openSlowLine(target: string, bytesPerSecond: number): Promise<SlowLine> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let freeAt = performance.now();
  const passBytes = async (source: Socket, target: Socket) => {
    for await (const chunk of source) {
      const beginsAt = Math.max(performance.now(), freeAt);
      freeAt = beginsAt + ((chunk as Buffer).length / bytesPerSecond) * 1000;
      if (freeAt - performance.now() > stepMs) await pause(freeAt - performance.now());
      if (!target.write(chunk)) await once(target, 'drain');
    }
    target.end();
  };
  const server = createServer({ highWaterMark: 16 * 1024, allowHalfOpen: true }, (nearSocket) => {
    const farSocket = connect({ host: hostname, port: Number(port) });
    for (const socket of [nearSocket, farSocket]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    nearSocket.on('close', () => farSocket.destroy());
    farSocket.pipe(nearSocket);
    passBytes(nearSocket, farSocket).catch(() => farSocket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
