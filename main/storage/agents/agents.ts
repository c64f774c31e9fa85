import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { AgentConnectOpts } from 'agent-base';
import { socksFault } from '../connection-fault.ts';
import { HttpAgent, HttpsAgent } from './node-http.ts';

/**
 * What every connection of Tilelift's own to storage or a proxy is made with. Both are said out loud, since
 * Node lets others decide: the variable `NODE_TLS_REJECT_UNAUTHORIZED` switches the check of certificates
 * off, and an address gets 250 ms before the next one is tried, which satellites, mobile networks and full
 * networks don't keep.
 */
export const safeConnection = {
  rejectUnauthorized: true,
  autoSelectFamilyAttemptTimeout: 5_000,
} as const;

/** What connections are made with that are kept between requests. */
function keptConnection(secureContext: SecureContext | undefined) {
  const own = secureContext ? { secureContext } : {};
  return { keepAlive: true, noDelay: true, ...safeConnection, ...own };
}

/**
 * What makes connections to storage and keeps them between requests, by that proxy (null: straight). Over an
 * HTTP proxy Node's own agent tunnels to HTTPS (`CONNECT`, RFC 9110 9.3.6) and asks for HTTP in absolute form
 * (RFC 9112 3.2.2).
 */
export function createAgent(
  secure: boolean,
  secureContext: SecureContext | undefined,
  proxy: string | null,
): Agent {
  const pool = { scheduling: 'lifo' as const, ...keptConnection(secureContext) };
  const Kind = secure ? HttpsAgent : HttpAgent;
  if (proxy?.startsWith('socks')) return bySocks(new Kind(pool), secure, new URL(proxy));
  const proxyEnv = proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } };
  return new Kind({ ...pool, ...proxyEnv });
}

/** Ends the connections that nothing uses just now. */
export function endIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}

/** An agent waits for one of them. */
type Connected = (error: Error | null, socket?: Duplex) => void;

/**
 * Has the agent connect by a SOCKS proxy. Requests fail with a `StorageError` when no connection to the proxy
 * or through it comes about.
 */
function bySocks(agent: Agent, secure: boolean, proxy: URL): Agent {
  const connect = async (options: object) => {
    // Most uploads meet no such proxy.
    const { connectBySocks } = await import('./socks-connection.ts');
    const connection = { ...options, secureEndpoint: secure } as AgentConnectOpts;
    return connectBySocks(proxy, { noDelay: true, ...safeConnection }, connection);
  };
  agent.createConnection = (options, connected) => {
    const tell = connected as Connected;
    connect(options).then(
      (socket) => tell(null, socket),
      (thrown: unknown) =>
        tell(thrown instanceof Error ? socksFault(thrown, proxy) : new Error(String(thrown))),
    );
    return undefined;
  };
  return agent;
}
