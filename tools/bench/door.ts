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
 * Listens on the standard port of an address, since aws-cli's CRT client reaches no other; where the system
 * keeps it for its administrator, has no such address, or the port is taken, and where nobody asks for it, on
 * a free port of 127.0.0.1.
 */
export async function openDoor(
  server: Server,
  standard: { readonly host: string; readonly port: 80 | 443 } | null = null,
): Promise<Door> {
  if (standard) await listen(server, standard.port, standard.host).catch(() => {});
  if (!server.listening) await listen(server, 0, '127.0.0.1');
  const { address, port: taken } = z
    .object({ address: z.string(), port: z.number() })
    .parse(server.address());
  return { host: address, port: taken };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Without a port where it is the standard one. */
export function addressOf(protocol: 'http' | 'https', { host, port }: Door): string {
  return new URL(`${protocol}://${host}:${port}`).origin;
}
