import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { Agent, type AgentConnectOpts } from 'agent-base';
import { socksFault } from './connection-fault.ts';

/**
 * What every connection of Tilelift's own to storage or a proxy is made with. Both are said out loud, since
 * Node lets others decide: the variable `NODE_TLS_REJECT_UNAUTHORIZED` switches the check of certificates
 * off, and an address gets 250 ms before the next one is tried, which satellites, mobile networks and full
 * networks don't keep.
 */
const safeConnection = {
  rejectUnauthorized: true,
  autoSelectFamilyAttemptTimeout: 5_000,
} as const;

/**
 * What makes connections to storage and keeps them between requests, by that proxy (null: straight). Over an
 * HTTP proxy Node's own agent tunnels to HTTPS (`CONNECT`, RFC 9110 9.3.6) and asks for HTTP in absolute form
 * (RFC 9112 3.2.2).
 */
export function createAgent(
  secure: boolean,
  secureContext: SecureContext | undefined,
  proxy: string | null,
): HttpAgent {
  const pool = {
    keepAlive: true,
    scheduling: 'lifo' as const,
    noDelay: true,
    ...safeConnection,
    ...(secureContext ? { secureContext } : {}),
  };
  if (proxy?.startsWith('socks')) return new SocksAgent(new URL(proxy), pool);
  const proxyEnv = proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } };
  return new (secure ? HttpsAgent : HttpAgent)({ ...pool, ...proxyEnv });
}

/** Ends the connections that nothing uses just now. */
export function endIdle(agent: HttpAgent): void {
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}

/**
 * Connections over a SOCKS proxy, `socks4://…` or `socks5://…`, to plain HTTP and to HTTPS. The proxy
 * resolves the names (version 4 in its form 4a). Requests fail with a `StorageError` when no connection to
 * the proxy or through it comes about.
 */
class SocksAgent extends Agent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override async connect(request: ClientRequest, options: AgentConnectOpts): Promise<Socket> {
    // Most uploads meet no such proxy.
    const { SocksProxyAgent } = await import('socks-proxy-agent');
    // The forms that leave names to the proxy.
    const address = this.#proxy.href.replace(/^socks4:/, 'socks4a:').replace(/^socks5:/, 'socks5h:');
    const agent = new SocksProxyAgent(address, { socketOptions: { noDelay: true, ...safeConnection } });
    // An IPv6 address without its brackets.
    agent.proxy.host = agent.proxy.host?.replace(/^\[|\]$/g, '');
    try {
      return await agent.connect(request, options);
    } catch (error) {
      throw error instanceof Error ? socksFault(error, this.#proxy) : error;
    }
  }
}
