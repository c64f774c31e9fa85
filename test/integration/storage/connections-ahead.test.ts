import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directRoute } from '../../../main/outside.ts';
import { createAgent, keptConnection } from '../../../main/storage/agents/agents.ts';
import { ConnectionsAhead } from '../../../main/storage/agents/connections-ahead.ts';
import { smallBody } from '../../../main/storage/requests/storage-request.ts';
import type { PartOrder, Storage } from '../../../main/storage/storage.ts';
import { createStorageClient, type StorageClientOptions } from '../../../main/workers/storage-client.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { openRelay } from '../../../tools/bench/line/relay.ts';

const [near, veryFar] = [5, 150];
let folder: string;
const ends: (() => unknown)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-ahead-'));
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await rm(folder, { recursive: true, force: true });
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Answers once as many requests have come. */
function answerAll(together: number): RequestListener {
  const waiting: (() => void)[] = [];
  return (request, response) => {
    request.resume().on('end', () => {
      waiting.push(() => response.writeHead(200, { etag: '"none"', 'x-amz-request-id': '1' }).end());
      if (waiting.length >= together) for (const answer of waiting.splice(0)) answer();
    });
  };
}

async function startStore(server: ReturnType<typeof createServer> = createServer(answerAll(1))) {
  const sockets = new Set<Socket>();
  let made = 0;
  server.on('connection', (socket: Socket) => {
    made += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listen(server);
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, sockets, made: () => made };
}

/** Leads to that port; what becomes of the first connection is for `first` to say. */
async function startPassage(to: number, first: (from: Socket) => void = (from) => lead(from, to)) {
  let made = 0;
  const passage = createTcpServer((from) => {
    made += 1;
    if (made === 1) first(from);
    else lead(from, to);
  });
  const port = await listen(passage);
  ends.push(() => passage.close());
  return { port, made: () => made };
}

function lead(from: Socket, port: number): void {
  const to = connect(port, '127.0.0.1');
  from.on('error', () => to.destroy()).pipe(to);
  to.on('error', () => from.destroy()).pipe(from);
}

/** 130 ms there and back. */
async function startFarStore(together: number) {
  const { certFile, keyFile, caFile } = await makeCertificate(folder);
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const { port, made } = await startStore(createHttpsServer(pair, answerAll(together)));
  const line = { bytesPerSecond: 1e9, delayMs: 65, windowBytes: 1e6, stallEveryMs: null, resetEveryMs: null };
  const relay = await openRelay({ host: '127.0.0.1', port }, line, Math.random);
  ends.push(() => relay.close());
  return { port: relay.door.port, made, caFile };
}

function aheadOf(port: number) {
  const agent = createAgent(false, undefined, null);
  ends.push(() => agent.destroy());
  const address = { hostname: '127.0.0.1', port };
  const ahead = new ConnectionsAhead(agent, address, keptConnection(undefined), () => {});
  ends.push(() => ahead.close());
  return { agent, ahead };
}

function storageAt(port: number, options: StorageClientOptions = {}, scheme = 'http'): Storage {
  const keys = { accessKey: 'key', secretAccessKey: 'secret', sessionToken: 'token' };
  const location = { bucket: 'b', endpoint: `${scheme}://127.0.0.1:${port}`, prefix: 'p/', ...keys };
  const storage = createStorageClient(location, { workers: 2, ...options });
  ends.push(() => storage.close());
  return storage;
}

/** Too large to go as small files do, by another client. */
const bytes = smallBody + 1;

async function wholeFile(key: string): Promise<PartOrder> {
  const path = join(folder, key);
  await writeFile(path, Buffer.alloc(bytes, key));
  const { mtimeMs, size } = await stat(path);
  const whole = { uploadId: null, number: 1, offset: 0, length: size, mayCarryCrc32: true, adoptable: null };
  return { path, size, mtimeMs, key, ...whole };
}

function ask(agent: Agent, port: number): Promise<unknown> {
  const request = get({ agent, port, host: '127.0.0.1' });
  return once(request, 'response').then(([response]) => once((response as IncomingMessage).resume(), 'end'));
}

describe('connections that are made ahead', () => {
  it('are as many as there will be parts where storage is very far', async () => {
    const { port, sockets } = await startStore();
    const { ahead } = aheadOf(port);
    ahead.expect(6);
    ahead.sawRoundTrip(veryFar);
    await expect.poll(() => sockets.size).toBe(6);
  });

  it('are no more than one where it is near, and the first request takes that', async () => {
    const { port, made } = await startStore();
    const { agent, ahead } = aheadOf(port);
    ahead.expect(6);
    ahead.sawRoundTrip(near);
    ahead.expect(6);
    await ask(agent, port);
    await ask(agent, port);
    expect(made()).toBe(1);
  });

  it('are none where those that are there are enough', async () => {
    const { port, made } = await startStore();
    const { ahead } = aheadOf(port);
    ahead.expect(4);
    ahead.sawRoundTrip(veryFar);
    ahead.expect(3);
    ahead.expect(5);
    await expect.poll(made).toBe(5);
  });

  it('are closed again when nothing has wanted them', async () => {
    const { port, sockets } = await startStore();
    const agent = createAgent(false, undefined, null);
    const made: Socket[] = [];
    const plain = agent.createConnection.bind(agent);
    agent.createConnection = (...given) => {
      const socket = plain(...given);
      made.push(socket as Socket);
      return socket;
    };
    const to = { hostname: '127.0.0.1', port };
    const ahead = new ConnectionsAhead(agent, to, keptConnection(undefined), () => {});
    ahead.expect(2);
    ahead.sawRoundTrip(veryFar);
    await expect.poll(() => sockets.size).toBe(2);
    expect(made.map((socket) => socket.timeout)).toEqual([15_000, 15_000]);
    made[0]?.emit('timeout');
    await expect.poll(() => sockets.size).toBe(1);
    ahead.close();
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('carry the parts, over both threads', async () => {
    const { port, made, caFile } = await startFarStore(6);
    const storage = storageAt(port, { ca: [readFileSync(caFile, 'utf8')] }, 'https');
    storage.expectParts(6);
    await expect.poll(made, { timeout: 5_000 }).toBe(6);
    const orders = await Promise.all([...'abcdef'].map(wholeFile));
    await Promise.all(orders.map((order) => storage.sendPart(order)));
    expect(made()).toBe(6);
  });

  it('may be closed by the other side meanwhile: the part goes on another, and nobody is told', async () => {
    const { port } = await startStore();
    const passage = await startPassage(port, (from) => {
      from.once('data', () => from.resetAndDestroy());
    });
    const storage = storageAt(passage.port, { workers: 1 });
    storage.expectParts(1);
    await expect.poll(passage.made).toBe(1);
    await expect(storage.sendPart(await wholeFile('a'))).resolves.toMatchObject({ size: bytes });
    expect(passage.made()).toBe(2);
  });

  it('are none where the way leads over a proxy', async () => {
    const { port } = await startStore();
    const proxy = await startPassage(port);
    const way = { ...directRoute, proxyFor: async () => `PROXY 127.0.0.1:${proxy.port}` };
    const storage = storageAt(port, { way });
    storage.expectParts(4);
    await storage.sendPart(await wholeFile('a'));
    expect(proxy.made()).toBe(1);
  });
});
