import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DoorAddress } from '../../../tools/bench/door.ts';
import { openRelay } from '../../../tools/bench/line/relay.ts';
import type { LineShape } from '../../../tools/bench/line/wire.ts';

const shape: LineShape = {
  bytesPerSecond: 4_000_000,
  delayMs: 30,
  windowBytes: 100_000,
  stallEveryMs: null,
  resetEveryMs: null,
};

/** Answers with the hash of all received bytes, once the sender has ended. */
let server: Server;
let port = 0;
beforeEach(async () => {
  server = createServer({ allowHalfOpen: true }, (socket) => {
    const hash = createHash('sha256');
    socket.on('data', (bytes) => hash.update(bytes));
    socket.once('end', () => socket.end(hash.digest('hex')));
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => void server.close());

async function send(
  door: DoorAddress,
  bytes: Buffer,
): Promise<{ readonly answer: string; readonly ms: number }> {
  const startedAt = performance.now();
  const socket = connect({ ...door, allowHalfOpen: true });
  socket.end(bytes);
  let answer = '';
  for await (const piece of socket) answer += String(piece);
  return { answer, ms: performance.now() - startedAt };
}

it('delivers all bytes in order and the answer back, no faster than the line', async () => {
  const relay = await openRelay({ host: '127.0.0.1', port }, shape, Math.random);
  const bytes = [randomBytes(500_000), randomBytes(300_000)];
  const bothResults = await Promise.all(bytes.map((chunk) => send(relay.door, chunk)));
  await relay.close();
  expect(bothResults.map(({ answer }) => answer)).toEqual(
    bytes.map((chunk) => createHash('sha256').update(chunk).digest('hex')),
  );
  // A handshake, transfer at the shared rate, and a round trip. A single connection is limited by its window.
  for (const { ms } of bothResults) expect(ms).toBeGreaterThan(60 + 60);
  expect(Math.max(...bothResults.map(({ ms }) => ms))).toBeGreaterThan(
    60 + (800_000 / 4_000_000) * 1000 + 60 - 1,
  );
  expect(bothResults[0]?.ms).toBeGreaterThan(60 + 4 * 60);
});

it('resets a connection in use', async () => {
  const relay = await openRelay(
    { host: '127.0.0.1', port },
    { ...shape, bytesPerSecond: 100_000, resetEveryMs: 50 },
    () => 0.5,
  );
  await expect(send(relay.door, randomBytes(500_000))).rejects.toMatchObject({ code: 'ECONNRESET' });
  await relay.close();
});
