import { EventEmitter } from 'node:events';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { AgentConnectOpts } from 'agent-base';
import { SocksProxyAgent } from 'socks-proxy-agent';

/** What a request that connects is asked for there: it hears by itself what becomes of its connection. */
const nobody = Object.assign(new EventEmitter(), { destroy: () => {} });

/**
 * A connection by a SOCKS proxy, `socks4://…` or `socks5://…`, which resolves the names (version 4 in its
 * form 4a). With `secureEndpoint` TLS begins on it. Rejects when no connection comes about.
 */
export function connectBySocks(
  proxy: URL,
  socketOptions: Readonly<Record<string, unknown>>,
  options: AgentConnectOpts,
): Promise<Socket> {
  // The forms that leave names to the proxy.
  const address = proxy.href.replace(/^socks4:/, 'socks4a:').replace(/^socks5:/, 'socks5h:');
  const agent = new SocksProxyAgent(address, { socketOptions });
  // An IPv6 address without its brackets.
  agent.proxy.host = agent.proxy.host?.replace(/^\[|\]$/g, '');
  return agent.connect(nobody as unknown as ClientRequest, options);
}
