import { once } from 'node:events';
import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { socksFault } from './proxy-fault.ts';
import { safeConnection } from './safe-connection.ts';

type Connected = (error: Error | null, stream?: Duplex | null) => void;

/** Connections to plain HTTP over a SOCKS proxy, `socks4://…` or `socks5://…`. The proxy resolves the names (version 4 in its form 4a). */
export class SocksAgent extends HttpAgent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: ClientRequestArgs, connected: Connected): null {
    connectOver(this.#proxy, options).then((socket) => connected(null, socket), connected);
    return null;
  }
}

/** The same to HTTPS. */
export class SecureSocksAgent extends HttpsAgent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: RequestOptions, connected: Connected): null {
    // Node's own agent puts TLS on a socket that it is given.
    const secure = (socket: Socket) => {
      const over = { ...options, socket };
      return super.createConnection(over);
    };
    connectOver(this.#proxy, options).then((socket) => connected(null, secure(socket)), connected);
    return null;
  }
}

/** Throws Node's own error when the proxy can't be reached, a `StorageError` when it does not let us through. */
async function connectOver(proxy: URL, { host, port }: ClientRequestArgs): Promise<Socket> {
  // Most uploads meet no such proxy.
  const { SocksClient } = await import('socks');
  const socket = connect({
    host: bare(proxy.hostname),
    port: Number(proxy.port),
    noDelay: true,
    ...safeConnection,
  });
  await once(socket, 'connect');
  try {
    await SocksClient.createConnection({
      command: 'connect',
      destination: { host: host ?? '', port: Number(port) },
      proxy: {
        type: proxy.protocol === 'socks4:' ? 4 : 5,
        host: bare(proxy.hostname),
        port: Number(proxy.port),
        userId: decodeURIComponent(proxy.username),
        password: decodeURIComponent(proxy.password),
      },
      existing_socket: socket,
    });
  } catch (error) {
    throw error instanceof Error ? socksFault(error, proxy) : error;
  }
  return socket;
}

/** An IPv6 address without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
