import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Proxy in front of a service that records when a request arrives. */
export interface Doorman {
  /** Time of the next request, as `performance.now()`. */
  nextRequest(): Promise<number>;
  readonly address: string;
  stop(): void;
}

/** Forwards all traffic to a service. @param service its address, without a path */
export async function openDoorman(service: string): Promise<Doorman> {
  const { hostname, port } = new URL(service);
  let onArrival: ((arrivedAt: number) => void) | null = null;
  const server = createServer((caller) => {
    const innerSocket = connect(Number(port), hostname);
    caller.once('data', () => {
      onArrival?.(performance.now());
      onArrival = null;
    });
    const end = () => {
      caller.destroy();
      innerSocket.destroy();
    };
    caller.on('error', end);
    innerSocket.on('error', end);
    caller.pipe(innerSocket).pipe(caller);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextRequest: () =>
      new Promise((resolve) => {
        onArrival = resolve;
      }),
    stop: () => server.close(),
  };
}
