import type { ClientRequest } from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import { Agent, type AgentConnectOpts } from 'agent-base';
import { socksFault } from './proxy-fault.ts';
import { safeConnection } from './safe-connection.ts';

/**
 * Connections over a SOCKS proxy, `socks4://…` or `socks5://…`, to plain HTTP and to HTTPS. The proxy resolves the names (version 4 in its form 4a).
 * Requests fail with a `StorageError` when no connection to the proxy or through it comes about.
 */
export class SocksAgent extends Agent {
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
