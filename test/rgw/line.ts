import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A connection to the object store that the test observes and disturbs. Storage is reached at `url` as if
 * directly.
 */
export interface Line {
  readonly url: string;
  /** Bytes sent to storage. */
  countSent(): number;
  /** Stops all bytes towards storage. */
  hold(): void;
  /** Lets new connections pass again; held ones break. */
  release(): void;
  /** Flips one bit after this many further bytes. */
  garbleAfter(bytes: number): void;
  close(): Promise<void>;
}

/** Opens the line on loopback, with an `http:` address. */
export async function openLine(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const nearSockets = new Set<Socket>();
  let sentBytes = 0;
  let isHeld = false;
  let garbleAt = Number.POSITIVE_INFINITY;

  const server: Server = createServer((client) => {
    const storage = connect(Number(port), hostname);
    nearSockets.add(client);
    for (const socket of [client, storage]) {
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        nearSockets.delete(client);
        client.destroy();
        storage.destroy();
      });
      // A broken connection is closed.
      socket.on('error', () => {});
    }
    client.on('data', (bytes) => {
      const at = garbleAt - sentBytes;
      const byte = bytes[at];
      if (byte !== undefined) {
        bytes[at] = byte ^ 1;
        garbleAt = Number.POSITIVE_INFINITY;
      }
      sentBytes += bytes.length;
      if (!storage.write(bytes)) client.pause();
    });
    storage.on('drain', () => {
      if (!isHeld) client.resume();
    });
    storage.pipe(client);
    if (isHeld) client.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    countSent: () => sentBytes,
    hold: () => {
      isHeld = true;
      for (const socket of nearSockets) socket.pause();
    },
    release: () => {
      isHeld = false;
      for (const socket of nearSockets) socket.destroy();
    },
    garbleAfter: (bytes) => {
      garbleAt = sentBytes + bytes;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
