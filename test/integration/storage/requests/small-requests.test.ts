import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { StorageConnections } from '../../../../main/storage/requests/storage-connections.ts';
import { Signer } from '../../../../main/storage/sigv4.ts';
import { storageAddress } from '../../../../main/storage/storage-address.ts';
import { TokenTaker, unlimitedTokens } from '../../../../main/storage/throttle.ts';

const keys = { accessKey: 'key', secretAccessKey: 'secret', sessionToken: 'token' };
const length = 2_000;

const cleanUps: (() => unknown)[] = [];
afterEach(() => {
  for (const end of cleanUps.splice(0).reverse()) end();
});

interface Arrived {
  readonly socket: Socket;
  readonly head: string;
}

/** A raw server that calls `say` for each complete request. */
async function startStore(say: (onArrival: Arrived, count: number) => void, stallMs = 10_000) {
  const sockets = new Set<Socket>();
  const heads: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1 || text.length < end + 4 + length) return;
      const head = text.slice(0, end);
      text = text.slice(end + 4 + length);
      say({ socket, head }, heads.push(head));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connections = new StorageConnections({
    address: storageAddress('bucket', endpoint),
    signer: new Signer(keys),
    secureContext: undefined,
    tokens: new TokenTaker(unlimitedTokens()),
    stallMs,
    currentTime: Date.now,
    onRoundTrip: () => {},
  });
  cleanUps.push(() => connections.close());
  const send = () =>
    connections.send({
      ...{ method: 'PUT', path: 'tile', query: '', headers: { 'x-amz-meta-a': 'b' }, answerMs: null },
      ...{ body: Buffer.alloc(length, 'a'), proxy: null, onSent: () => {} },
    });
  return { send, sockets, heads, connections };
}

const okAnswer = 'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 0\r\n\r\n';

it('small file upload: sends signed requests with their length on one connection', async () => {
  const { send, sockets, heads } = await startStore(({ socket }) => socket.write(okAnswer));

  for (let times = 0; times < 3; times++)
    expect(await send().answer).toMatchObject({ status: 200, headers: { etag: '"e"' }, body: '' });

  expect(sockets.size).toBe(1);
  expect(heads[2]).toMatch(/^PUT \/bucket\/tile HTTP\/1\.1\r\n/);
  expect(heads[2]?.toLowerCase()).toMatch(/\r\ncontent-length: 2000(\r\n|$)/);
  expect(heads[2]).toMatch(/\r\nauthorization: AWS4-HMAC-SHA256 .*SignedHeaders=host;x-amz-/i);
});

it('small file upload: uses a connection exclusively during a request', async () => {
  const waitingSockets: Socket[] = [];
  const { send, sockets } = await startStore(({ socket }) => {
    if (waitingSockets.push(socket) === 2) for (const client of waitingSockets) client.write(okAnswer);
  });

  await Promise.all([send().answer, send().answer]);

  expect(sockets.size).toBe(2);
});

it('small file upload: joins an answer that arrives in pieces', async () => {
  const error = '<Error><Code>SlowDown</Code></Error>';
  const half = error.length / 2;
  const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const { send } = await startStore(({ socket }) =>
    socket.write(
      `HTTP/1.1 503 Slow Down\r\nTransfer-Encoding: chunked\r\n\r\n${piece(error.slice(0, half))}${piece(error.slice(half))}0\r\n\r\n`,
    ),
  );

  expect(await send().answer).toMatchObject({ status: 503, body: error });
});

it('small file upload: fails with an answer that isn’t HTTP or never ends', async () => {
  const { send } = await startStore(({ socket }, count) =>
    // Node's client repeats requests whose response undici's client refuses.
    socket.write(count <= 2 ? 'SSH-2.0-nothing\r\n' : `HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(5_000_000)}`),
  );

  await expect(send().answer).rejects.toMatchObject({ code: 'HPE_INVALID_CONSTANT' });
  await expect(send().answer).rejects.toThrow('longer than any of storage');
});

it('small file upload: closes its connection after a timeout or abort', async () => {
  const { send, sockets } = await startStore(() => {}, 500);

  await expect(send().answer).rejects.toMatchObject({ fault: { code: 'Stalled' } });
  const flight = send();
  await expect.poll(() => sockets.size).toBe(2);
  flight.abort(new Error('wanted no more'));

  await expect(flight.answer).rejects.toThrow('wanted no more');
  await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true);
});

it('small file upload: fails if a new connection is cut, or a kept one in the middle of an answer', async () => {
  const { send, heads } = await startStore(({ socket }, count) => {
    if (count === 1) socket.resetAndDestroy();
    else if (count === 2) socket.write(okAnswer);
    else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
  });

  await expect(send().answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  await send().answer;
  await expect(send().answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(heads).toHaveLength(3);
});

it('small file upload: repeats a small upload once if a kept connection was closed before', async () => {
  const { send, sockets, heads } = await startStore(({ socket }, count) =>
    count === 2 ? socket.resetAndDestroy() : socket.write(okAnswer),
  );
  await send().answer;

  expect(await send().answer).toMatchObject({ status: 200 });

  expect(heads).toHaveLength(3);
  expect(sockets.size).toBe(2);
});
