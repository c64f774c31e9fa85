import { EventEmitter } from 'node:events';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { AgentConnectOpts } from 'agent-base';
import { SocksProxyAgent } from 'socks-proxy-agent';

/** A request stub: errors arrive through the connection. */
const requestStub = Object.assign(new EventEmitter(), { destroy: () => {} });

/**
 * Connects via a SOCKS proxy (`socks4://…`, `socks5://…`) that resolves host names (version 4 as 4a).
 * `secureEndpoint` adds TLS.
 */
export function connectBySocks(
  proxy: URL,
  socketOptions: Readonly<Record<string, unknown>>,
  options: AgentConnectOpts,
): Promise<Socket> {
  const address = proxy.href.replace(/^socks4:/, 'socks4a:').replace(/^socks5:/, 'socks5h:');
  const agent = new SocksProxyAgent(address, { socketOptions });
  agent.proxy.host = agent.proxy.host?.replace(/^\[|\]$/g, '');
  return agent.connect(requestStub as unknown as ClientRequest, options);
}
