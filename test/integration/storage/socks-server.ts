import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SocksServer {
  /** `host:port` of the proxy. */
  readonly place: string;
  /** `host:port` as requested by clients. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A strict SOCKS proxy, versions 4a and 5 without login. All names and addresses lead to this computer. */
export async function startSocksServer(host: '127.0.0.1' | '::1' = '127.0.0.1'): Promise<SocksServer> {
  const destinations: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket, destinations).catch(() => socket.destroy());
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    place: `${host === '::1' ? '[::1]' : host}:${(server.address() as AddressInfo).port}`,
    asked: destinations,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(client: Socket, destinations: string[]): Promise<void> {
  const [version] = await takeBytes(client, 1);
  const { host, port, granted } = version === 4 ? await readFour(client) : await readFive(client, version);
  destinations.push(`${host}:${port}`);
  const target = connect(port, '127.0.0.1');
  await once(target, 'connect');
  client.write(granted);
  client.on('error', () => target.destroy()).pipe(target);
  target.on('error', () => client.destroy()).pipe(client);
}

/** SOCKS4 (Lee, 1992), and 4a for names: an address 0.0.0.x, with the name after the user's. */
async function readFour(client: Socket) {
  const [command, highByte = 0, lowByte = 0, ...address] = await takeBytes(client, 7);
  expectByte(command, 1);
  await takeText(client);
  const isHostName = address.slice(0, 3).every((byte) => byte === 0) && address[3] !== 0;
  const host = isHostName ? await takeText(client) : address.join('.');
  return { host, port: highByte * 256 + lowByte, granted: Buffer.from([0, 90, 0, 0, 0, 0, 0, 0]) };
}

/** RFC 1928. */
async function readFive(client: Socket, version: number | undefined) {
  expectByte(version, 5);
  const [count = 0] = await takeBytes(client, 1);
  const methods = await takeBytes(client, count);
  if (!methods.includes(0)) throw new Error('a login is offered, and nothing else');
  client.write(Buffer.from([5, 0]));
  const [repeatedVersion, command, reserved, kind] = await takeBytes(client, 4);
  expectByte(repeatedVersion, 5);
  expectByte(command, 1);
  expectByte(reserved, 0);
  const host = kind === 3 ? await takeName(client) : (await takeBytes(client, kind === 1 ? 4 : 16)).join('.');
  const [highByte = 0, lowByte = 0] = await takeBytes(client, 2);
  return { host, port: highByte * 256 + lowByte, granted: Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]) };
}

async function takeName(client: Socket): Promise<string> {
  const [length = 0] = await takeBytes(client, 1);
  return (await takeBytes(client, length)).toString();
}

/** Reads until a zero byte. */
async function takeText(client: Socket): Promise<string> {
  const bytes: number[] = [];
  for (;;) {
    const [byte = 0] = await takeBytes(client, 1);
    if (byte === 0) return Buffer.from(bytes).toString();
    bytes.push(byte);
  }
}

async function takeBytes(client: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = client.read(count);
    if (bytes?.length === count) return bytes;
    if (client.readableEnded || client.destroyed) throw new Error('it ended too early');
    await once(client, 'readable');
  }
}

function expectByte(byte: number | undefined, expected: number): void {
  if (byte !== expected) throw new Error(`${byte} in place of ${expected}`);
}
