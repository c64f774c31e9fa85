/** A store whose process does something else for a while: nobody takes connections meanwhile, and the system holds back all but the first few. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const busyMs = 2_500;
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  process.send?.((server.address() as AddressInfo).port);
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs));
});
