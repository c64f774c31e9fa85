/**
 * A store whose process is busy until a file exists: it accepts no connections, and the system only queues
 * two.
 */
import { existsSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const flag = process.argv[2] ?? '';
const cell = new Int32Array(new SharedArrayBuffer(4));
const server = createServer((request, response) => {
  request
    .resume()
    .on('end', () => response.writeHead(200, { etag: '"none"', 'x-amz-request-id': '1' }).end());
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  // Blocks in the same turn, because the event loop would otherwise accept the first connections.
  writeSync(process.stdout.fd, String((server.address() as AddressInfo).port));
  while (!existsSync(flag)) Atomics.wait(cell, 0, 0, 10);
});
