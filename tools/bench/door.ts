import { once } from 'node:events';
import type { Server } from 'node:net';
import { z } from 'zod';

/** Loopback addresses whose standard ports are usually free, for storage and for the line. */
export const standardHosts = { storage: '127.0.80.43', line: '127.0.80.44' } as const;

export const doorSchema = z.object({ host: z.string(), port: z.number() });
export type DoorAddress = z.infer<typeof doorSchema>;

/**
 * Listens on an address's standard port, because aws-cli's CRT client only supports that; otherwise on a free
 * port of 127.0.0.1.
 */
export async function openDoor(
  server: Server,
  standard: { readonly host: string; readonly port: 80 | 443 } | null = null,
): Promise<DoorAddress> {
  if (standard) await listen(server, standard.port, standard.host).catch(() => {});
  if (!server.listening) await listen(server, 0, '127.0.0.1');
  const { address, port: takenPort } = z
    .object({ address: z.string(), port: z.number() })
    .parse(server.address());
  return { host: address, port: takenPort };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Omits a standard port. */
export function addressOf(protocol: 'http' | 'https', { host, port }: DoorAddress): string {
  return new URL(`${protocol}://${host}:${port}`).origin;
}
