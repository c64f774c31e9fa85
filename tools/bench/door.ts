import { once } from 'node:events';
import type { Server } from 'node:net';
import { z } from 'zod';

/**
 * Addresses of the loopback range where standard ports are free: one for storage, one for a line before it.
 */
export const standardHosts = { storage: '127.0.80.43', line: '127.0.80.44' } as const;

/** Where a server listens. */
export const doorSchema = z.object({ host: z.string(), port: z.number() });
export type Door = z.infer<typeof doorSchema>;

/**
 * Listens on the standard port of `host`, since aws-cli's CRT client reaches no other; where the system keeps
 * it for its administrator, has no such address, or the port is taken, on a free port of 127.0.0.1.
 */
export async function openDoor(server: Server, host: string, port: 80 | 443): Promise<Door> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const { address, port: taken } = z
    .object({ address: z.string(), port: z.number() })
    .parse(server.address());
  return { host: address, port: taken };
}

/** Without a port where it is the standard one. */
export function addressOf(protocol: 'http' | 'https', { host, port }: Door): string {
  return new URL(`${protocol}://${host}:${port}`).origin;
}
