import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Paths requested from a local server during `work`. */
export async function visitsDuring(work: (origin: string) => Promise<void>): Promise<readonly string[]> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').end('here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
  return visits;
}
