import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { directRoute } from '../../../main/ports.ts';
import type { Storage } from '../../../main/storage/storage.ts';
import { createStorageClient, type StorageClientOptions } from '../../../main/workers/storage-client.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { slowName, troubledWorker } from '../../faults/troubled-worker.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orderWholeFile } from './part-order.ts';
import { startSocksServer } from './socks-server.ts';

/** Small and large bodies use different clients (decision 016). */
const sizes = [
  ['a file of several pieces', 300_000],
  ['a small file', 30_000],
] as const;
let bytes = 0;
let folder: string;
let requests: string[];
const cleanUps: (() => unknown)[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
  requests = [];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of cleanUps.splice(0).reverse()) await end();
});

function storageAt(endpoint: string, options: StorageClientOptions = {}): Storage {
  const location = {
    bucket: 'b',
    endpoint,
    prefix: 'p/',
    accessKey: 'key',
    secretAccessKey: 'secret',
    sessionToken: 'token',
  };
  const storage = createStorageClient(location, { workers: 1, ...options });
  cleanUps.push(() => storage.close());
  return storage;
}

const wholeFile = (key: string) => orderWholeFile(folder, key, randomBytes(bytes));

/** A store that accepts any request. */
async function startStore(
  cutSockets: (sockets: Set<Socket>) => void = () => {},
  answersFirst: (response: ServerResponse) => void = () => {},
) {
  const sockets = new Set<Socket>();
  const server = createHttpServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => {
      answersFirst(response);
      response.writeHead(200, { etag: '"none"', 'x-amz-request-id': '1' }).end();
    });
    response.on('finish', () => setImmediate(() => cutSockets(sockets)));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, server };
}

describe.each(sizes)('certificate, %s:', (_, size) => {
  beforeEach(() => {
    bytes = size;
  });

  /** A store with a self-signed certificate. */
  async function startSelfSigned(): Promise<number> {
    const { certFile, keyFile } = await makeCertificate(folder);
    const server = createServer(
      { cert: readFileSync(certFile), key: readFileSync(keyFile) },
      (request, response) => {
        requests.push(request.url ?? '');
        request.resume().on('end', () => response.end());
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  it.each(['straight', 'SOCKS5', 'PROXY'] as const)(
    'S37: refuses an untrusted certificate although the environment accepts any, %s',
    async (kind) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      const port = await startSelfSigned();
      const place = kind === 'PROXY' ? await startTunnel() : (await startSocks()).place;
      const proxyFor = async () => (kind === 'straight' ? 'DIRECT' : `${kind} ${place}`);
      const storage = storageAt(`https://127.0.0.1:${port}`, { way: { ...directRoute, proxyFor } });

      await expect(storage.sendPart(await wholeFile('a'))).rejects.toMatchObject({
        fault: { code: expect.stringMatching(/CERT|VERIFY/) },
      });
      expect(requests).toEqual([]);
    },
  );

  async function startSocks() {
    const socks = await startSocksServer();
    cleanUps.push(() => socks.close());
    return socks;
  }

  /** An HTTP proxy that only opens tunnels. */
  async function startTunnel(): Promise<string> {
    const server = createHttpServer();
    server.on('connect', (request, client: Socket) => {
      const [host = '', port] = (request.url ?? '').split(':');
      const target = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.on('error', () => target.destroy()).pipe(target);
        target.on('error', () => client.destroy()).pipe(client);
      });
      cleanUps.push(() => [client.destroy(), target.destroy()]);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => server.close());
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
});

describe.each(sizes)('kept connection, %s:', (_, size) => {
  beforeEach(() => {
    bytes = size;
  });

  it('G18: costs a request nothing if the other side closed it meanwhile', async () => {
    const { endpoint, sockets } = await startStore();
    const storage = storageAt(endpoint);
    await storage.sendPart(await wholeFile('a'));
    // Resolves when the next request has been sent but not read.
    for (const socket of sockets) socket.once('data', () => socket.resetAndDestroy());
    let sentBytes = 0;

    const receipt = await storage.sendPart(await wholeFile('b'), {
      onSent: (count) => {
        sentBytes += count;
      },
    });

    expect(receipt).toMatchObject({ size: bytes });
    expect(requests.at(-1)).toBe('PUT /b/p/b');
    expect(sentBytes).toBeLessThanOrEqual(bytes);
  });

  it('a request on a kept connection that is cut is repeated once; a second cut is reported', async () => {
    const { endpoint, sockets, server } = await startStore();
    const storage = storageAt(endpoint);
    await storage.sendPart(await wholeFile('a'));
    let connections = 0;
    for (const socket of sockets) socket.once('data', () => socket.resetAndDestroy());
    server.prependListener('connection', (socket: Socket) => {
      connections += 1;
      socket.resetAndDestroy();
    });

    await expect(storage.sendPart(await wholeFile('b'))).rejects.toMatchObject({ name: 'StorageError' });
    expect(connections).toBe(1);
  });

  it('drops a kept connection when the computer wakes in another network', async () => {
    const { endpoint, sockets } = await startStore();
    const storage = storageAt(endpoint);
    await storage.sendPart(await wholeFile('a'));
    const [firstSocket] = sockets;

    storage.renewConnections();

    await expect.poll(() => firstSocket?.destroyed).toBe(true);
    await storage.sendPart(await wholeFile('b'));
    expect(requests).toHaveLength(2);
  });
});

async function firstOutput({ stdout }: ChildProcess): Promise<string> {
  const [firstOutput] = stdout ? await once(stdout, 'data') : [];
  return String(firstOutput);
}

describe.each(sizes)('answer, %s:', (_, size) => {
  beforeEach(() => {
    bytes = size;
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['an unasked 100 Continue', (response) => response.writeContinue()],
    ['102 Processing', (response) => response.writeProcessing()],
    ['103 Early Hints', (response) => response.writeEarlyHints({ link: '</x>; rel=preload' })],
    ['60 KB of headers', (response) => response.setHeader('x-padding', 'x'.repeat(60_000))],
  ])('parses an answer with %s', async (_, answersFirst) => {
    const { endpoint } = await startStore(() => {}, answersFirst);
    const storage = storageAt(endpoint);

    expect(await storage.sendPart(await wholeFile('a'))).toMatchObject({ size });
    const requestCount = requests.length;
    expect(await storage.sendPart(await wholeFile('b'))).toMatchObject({ size });

    // If one client refuses a store's responses, later requests use the other client only.
    expect(requests.length - requestCount).toBe(1);
  });
});

describe.each(sizes)('slow connection, %s:', (_, size) => {
  beforeEach(() => {
    bytes = size;
  });
  let busy: ChildProcess;
  afterEach(() => busy.kill('SIGKILL'));

  /** Connections to that port that aren't accepted yet (`proc(5)`: state 02 is SYN_SENT). */
  const unansweredIn = (port: number) =>
    readFileSync('/proc/net/tcp', 'utf8').match(
      new RegExp(` 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 02 `, 'g'),
    );

  it.runIf(process.platform === 'linux')(
    'gets seconds before the next address is tried: a satellite answers after half of one',
    async () => {
      const flag = join(folder, 'takes-connections');
      busy = fork(new URL('busy-store.ts', import.meta.url), [flag], { execArgv: [], silent: true });
      const port = Number(await firstOutput(busy));
      const queue = Array.from({ length: 2 }, () => connect(port, '127.0.0.1').on('error', () => {}));
      cleanUps.push(() => queue.forEach((socket) => void socket.destroy()));
      // These two fill the queue of the store, so the system retries the next ones after a second.
      await Promise.all(queue.map((socket) => once(socket, 'connect')));

      const storage = storageAt(`http://${slowName}:${port}`, {
        worker: troubledWorker({ twoAddresses: true }),
      });
      const sending = storage.sendPart(await wholeFile('a'));
      sending.catch(() => {});
      await expect.poll(() => unansweredIn(port), { interval: 10 }).toHaveLength(1);
      const startedAt = performance.now();
      await expect.poll(() => performance.now() - startedAt).toBeGreaterThan(600);
      await writeFile(flag, '');

      expect(await sending).toMatchObject({ size: bytes });
    },
  );
});
