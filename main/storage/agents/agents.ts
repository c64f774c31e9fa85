import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { AgentConnectOpts } from 'agent-base';
import { socksFault } from '../connection-fault.ts';
import { HttpAgent, HttpsAgent } from './node-http.ts';

/**
 * Set explicitly because Node allows others to change both: `NODE_TLS_REJECT_UNAUTHORIZED` disables
 * certificate checks, and 250 ms per address is too short for satellite and mobile networks.
 */
export const safeConnection = { rejectUnauthorized: true, autoSelectFamilyAttemptTimeout: 5_000 } as const;

function keptConnection(secureContext: SecureContext | undefined) {
  const secureOptions = secureContext ? { secureContext } : {};
  return { keepAlive: true, noDelay: true, ...safeConnection, ...secureOptions };
}

/**
 * @param proxy null: direct. Node's agent tunnels HTTPS over HTTP proxies (`CONNECT`, RFC 9110 9.3.6) and
 * sends HTTP in absolute form (RFC 9112 3.2.2).
 */
export function createAgent(
  secure: boolean,
  secureContext: SecureContext | undefined,
  proxy: string | null,
): Agent {
  const pool = { scheduling: 'lifo' as const, ...keptConnection(secureContext) };
  const Kind = secure ? HttpsAgent : HttpAgent;
  if (proxy?.startsWith('socks')) return useSocks(new Kind(pool), secure, new URL(proxy));
  const proxyEnv = proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } };
  return new Kind({ ...pool, ...proxyEnv });
}

/** Closes idle connections. */
export function endIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}

type ConnectCallback = (error: Error | null, socket?: Duplex) => void;

/** Requests fail with a `StorageError` if connecting to the proxy or through it fails. */
function useSocks(agent: Agent, secure: boolean, proxy: URL): Agent {
  const connect = async (options: object) => {
    const { connectBySocks } = await import('./socks-connection.ts');
    const connection = { ...options, secureEndpoint: secure } as AgentConnectOpts;
    return connectBySocks(proxy, { noDelay: true, ...safeConnection }, connection);
  };
  agent.createConnection = (options, connectCallback) => {
    const onConnected = connectCallback as ConnectCallback;
    connect(options).then(
      (socket) => onConnected(null, socket),
      (error: unknown) =>
        onConnected(error instanceof Error ? socksFault(error, proxy) : new Error(String(error))),
    );
    return undefined;
  };
  return agent;
}
