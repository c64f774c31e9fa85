import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { directRoute } from '../../../main/ports.ts';
import type { Storage } from '../../../main/storage/storage.ts';
import { createStorageClient, type StorageClientOptions } from '../../../main/workers/storage-client.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { openRelay } from '../../../tools/bench/line/relay.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orderWholeFile } from './part-order.ts';

const delayMs = 40;
const line = { bytesPerSecond: 1e9, delayMs, windowBytes: 1e6, stallEveryMs: null, resetEveryMs: null };

let folder: string;
const cleanUps: (() => unknown)[] = [];
beforeEach(async () => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const end of cleanUps.splice(0).reverse()) await end();
});

async function listen(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function startStore() {
  const { certFile, keyFile, caFile } = await makeCertificate(folder);
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const port = await listen(
    createHttpsServer(pair, (request, response) => {
      request
        .resume()
        .on('end', () => response.writeHead(200, { etag: '"none"', 'x-amz-request-id': '1' }).end());
    }),
  );
  return { port, ca: [readFileSync(caFile, 'utf8')] };
}

function storageAt(port: number, options: StorageClientOptions, host = '127.0.0.1'): Storage {
  const keys = { accessKey: 'key', secretAccessKey: 'secret', sessionToken: 'token' };
  const location = { bucket: 'b', endpoint: `https://${host}:${port}`, prefix: 'p/', ...keys };
  const storage = createStorageClient(location, { workers: 1, ...options });
  cleanUps.push(() => storage.close());
  return storage;
}

/** The result doesn't matter. */
async function sendSomething(storage: Storage): Promise<void> {
  await storage.sendPart(await orderWholeFile(folder, 'a', 'a')).catch(() => {});
}

it('round-trip time to storage: is unknown before the first request', async () => {
  const { port, ca } = await startStore();
  expect(storageAt(port, { ca }).roundTripMs()).toBeNull();
});

it('round-trip time to storage: is measured in TLS handshakes, also if a nearby device answers TCP', async () => {
  const { port, ca } = await startStore();
  const relay = await openRelay({ host: '127.0.0.1', port }, line, Math.random);
  cleanUps.push(() => relay.close());
  const farStorage = storageAt(relay.door.port, { ca }, relay.door.host);
  await sendSomething(farStorage);
  expect(farStorage.roundTripMs()).toBeGreaterThanOrEqual(2 * delayMs);
});

it('round-trip time to storage: is that of the shortest of several handshakes', async () => {
  const { port, ca } = await startStore();
  const relay = await openRelay({ host: '127.0.0.1', port }, line, Math.random);
  cleanUps.push(() => relay.close());
  // The first connection takes the long route, all others the short one.
  let isFirst = true;
  const fork = await listen(
    createPassage(() => {
      const destination = isFirst ? relay.door : { host: '127.0.0.1', port };
      isFirst = false;
      return destination;
    }),
  );
  const storage = storageAt(fork, { ca });
  await sendSomething(storage);
  const slowMs = storage.roundTripMs() ?? 0;
  expect(slowMs).toBeGreaterThanOrEqual(2 * delayMs);
  storage.renewConnections();
  await expect
    .poll(async () => {
      await sendSomething(storage);
      return storage.roundTripMs();
    })
    .toBeLessThan(slowMs);
});

it('round-trip time to storage: isn’t measured to a proxy', async () => {
  const { port, ca } = await startStore();
  let tunnels = 0;
  const proxy = createHttpServer();
  proxy.on('connect', (_request, client: Socket) => {
    tunnels += 1;
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.on('error', () => target.destroy()).pipe(target);
      target.on('error', () => client.destroy()).pipe(client);
    });
    cleanUps.push(() => [client.destroy(), target.destroy()]);
  });
  const way = { ...directRoute, proxyFor: async () => `PROXY 127.0.0.1:${proxyPort}` };
  const proxyPort = await listen(proxy);
  const storage = storageAt(port, { ca, way });
  await sendSomething(storage);
  expect(tunnels).toBe(1);
  expect(storage.roundTripMs()).toBeNull();
});

function createPassage(nextDoor: () => { readonly host: string; readonly port: number }): Server {
  return createTcpServer((client) => {
    const target = connect(nextDoor());
    client.on('error', () => target.destroy()).pipe(target);
    target.on('error', () => client.destroy()).pipe(client);
  });
}
