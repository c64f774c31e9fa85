import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Stands before a service and knows when it was first asked for something. */
export interface Doorman {
  /** As `performance.now()`, once somebody asks. Those who asked before don't count. */
  nextRequest(): Promise<number>;
  readonly address: string;
  stop(): void;
}

/** Passes on whatever comes to a service. @param service its address, without a path */
export async function openDoorman(service: string): Promise<Doorman> {
  const { hostname, port } = new URL(service);
  let told: ((at: number) => void) | null = null;
  const server = createServer((caller) => {
    const inside = connect(Number(port), hostname);
    caller.once('data', () => {
      told?.(performance.now());
      told = null;
    });
    const end = () => {
      caller.destroy();
      inside.destroy();
    };
    caller.on('error', end);
    inside.on('error', end);
    caller.pipe(inside).pipe(caller);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextRequest: () =>
      new Promise((resolve) => {
        told = resolve;
      }),
    stop: () => server.close(),
  };
}
