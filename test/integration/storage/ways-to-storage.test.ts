import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { directRoute } from '../../../main/ports.ts';
import type { UploadLocation } from '../../../main/service/model.ts';
import type { Storage } from '../../../main/storage/storage.ts';
import { createStorageClient, type StorageClientOptions } from '../../../main/workers/storage-client.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { serviceApi } from '../jobs/house.ts';
import { orderWholeFile } from './part-order.ts';
import { type SocksServer, startSocksServer } from './socks-server.ts';

const bytes = 300_000;
let service: EmbeddedService;
let location: UploadLocation;
let folder: string;
let socks: SocksServer;
const open: { close(): unknown }[] = [];

beforeEach(async () => {
  service = await startEmbeddedService();
  const body = { name: 'A', type: 'IMAGERY', options: { sourceType: 'RASTER_IMAGERY' } } as const;
  ({ uploadLocation: location } = await serviceApi(service).createAsset(body));
  folder = temporaryFolder();
  socks = await startSocksServer();
});
afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close();
  await socks.close();
  await service.stop();
});

/** Storage under a name that only a proxy can resolve, reached by these routes. */
function storageOver(...routes: string[]): Storage {
  return storageAt(namedEndpoint(), routes);
}
const namedEndpoint = () => `http://storage.invalid:${new URL(service.storageUrl).port}`;
const puts = () => service.control.requests().filter(({ method }) => method === 'PUT');

function storageAt(
  endpoint: string,
  routes: readonly string[],
  extraOptions: StorageClientOptions = {},
): Storage {
  const storage = createStorageClient(
    { ...location, endpoint },
    {
      workers: 1,
      stallMs: 2_000,
      way: { ...directRoute, proxyFor: async () => routes.join('; ') },
      ...extraOptions,
    },
  );
  open.push(storage);
  return storage;
}

const wholeFile = (key = 'a') => orderWholeFile(folder, key, randomBytes(bytes));

/** Listens and never responds. */
async function startSilence(): Promise<string> {
  const server = createServer((socket) => open.push({ close: () => socket.destroy() })).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  open.push({ close: () => server.close() });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function expectArrived(): Promise<void> {
  expect(await service.control.objects()).toMatchObject([{ key: `${location.prefix}a`, size: bytes }]);
  expect(socks.asked).toEqual([`storage.invalid:${new URL(service.storageUrl).port}`]);
}

it.each(['SOCKS', 'SOCKS4', 'SOCKS5'])(
  'routes to storage lead through a proxy of the kind %s, which resolves the name',
  async (kind) => {
    const storage = storageOver(`${kind} ${socks.place}`);
    await storage.sendPart(await wholeFile());
    expect(await storage.headObject('a')).toMatchObject({ size: bytes });
    // All requests used one connection.
    await expectArrived();
  },
);

it('routes to storage lead through a SOCKS proxy with an IPv6 address', async () => {
  const otherServer = await startSocksServer('::1');
  open.push(otherServer);
  await storageOver(`SOCKS5 ${otherServer.place}`).sendPart(await wholeFile());
  expect(otherServer.asked).toHaveLength(1);
});

it('routes to storage skip a proxy without an address, and one whose addresses are all dead', async () => {
  const routes = ['SOCKS5 proxy.invalid:1', 'PROXY localhost:1', `SOCKS5 ${socks.place}`];
  await storageOver(...routes).sendPart(await wholeFile());
  await expectArrived();
});

it.each(['SOCKS4', 'SOCKS5'])(
  'routes to storage skip a proxy of the kind %s that never answers',
  async (kind) => {
    const silence = await startSilence();
    await storageOver(`${kind} ${silence}`, `SOCKS5 ${socks.place}`).sendPart(await wholeFile());
    await expectArrived();
  },
);

it.each(['PROXY', 'HTTPS'])(
  'routes to storage: don’t wait for a tunnel through a silent proxy of the kind %s',
  async (kind) => {
    const silence = await startSilence();
    const pendingRequest = storageAt('https://storage.invalid', [`${kind} ${silence}`]).headObject('a');
    await expect(pendingRequest).rejects.toMatchObject({
      fault: { code: 'ProxyUnreachable', message: `No connection at ${silence}` },
    });
  },
);

it('routes to storage skip a server that is no SOCKS proxy', async () => {
  const { host } = new URL(service.storageUrl);
  await storageOver(`SOCKS5 ${host}`, `SOCKS5 ${socks.place}`).sendPart(await wholeFile());
  await expectArrived();
});

it('routes to storage finish running requests while a better route is tried again', async () => {
  let advancedMs = 0;
  const routes = ['PROXY 127.0.0.1:1', `SOCKS5 ${socks.place}`];
  const storage = storageAt(namedEndpoint(), routes, {
    currentTime: () => Date.now() + advancedMs,
    stallMs: 30_000,
  });
  service.control.addFault({ match: { room: 'storage', method: 'PUT' }, action: { kind: 'hold' } });
  const firstPart = storage.sendPart(await wholeFile());
  await expect.poll(puts).toHaveLength(1);

  advancedMs = 5 * 60_000;
  await storage.sendPart(await wholeFile('b'));
  service.control.clearFaults();
  await firstPart;

  expect(puts()).toHaveLength(2);
});
