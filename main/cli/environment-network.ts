import { setGlobalProxyFromEnv } from 'node:http';
import { setDefaultCACertificates } from 'node:tls';
import type { Fetch, NetworkWay, ProxyLogin } from '../ports.ts';
import { readAuthorityFile, trustedAuthorities } from '../storage/authorities.ts';

/** The network settings of the environment. */
export interface EnvironmentNetwork {
  /** For storage. */
  readonly way: NetworkWay;
  readonly fetch: Fetch;
}

/**
 * Always verifies certificates, uses the environment's proxies, and trusts the system's authorities, read
 * from hundreds of files on the first encrypted request.
 * @throws TileliftError `authority-file-unusable`
 */
export function useEnvironmentNetwork(
  environment: NodeJS.ProcessEnv,
  caFile: string | null = null,
): EnvironmentNetwork {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  const noProxy = [...loopback, environment.no_proxy || environment.NO_PROXY || ''].join(',');
  setGlobalProxyFromEnv({ ...environment, NO_PROXY: noProxy, no_proxy: noProxy });
  const extraAuthorities = readAuthorityFile(caFile);
  let isTrusting = false;
  const trust = () => {
    if (isTrusting) return;
    isTrusting = true;
    const authorities = trustedAuthorities(extraAuthorities);
    if (authorities) setDefaultCACertificates([...authorities]);
  };
  // Connections to proxies may be encrypted.
  const hasProxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].some(
    (name) => environment[name],
  );
  return {
    way: wayFromEnvironment(environment),
    fetch: async (input, init) => {
      if (hasProxies || new URL(input).protocol !== 'http:') trust();
      return fetch(input, init);
    },
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Like browsers, never use a proxy for loopback. */
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * HTTP_PROXY, HTTPS_PROXY and NO_PROXY in either case; NO_PROXY lists hosts with optional ports, domains with
 * subdomains, or `*`. `overLoopback`: for tests.
 */
export function wayFromEnvironment(environment: Environment, overLoopback = false): NetworkWay {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  const logins = new Map<string, ProxyLogin>();
  const rule = (text: string) => {
    const url = URL.parse(text.includes('://') ? text : `http://${text}`);
    if (!text || !url) return 'DIRECT';
    const secure = url.protocol === 'https:';
    const name = `${url.hostname}:${url.port || (secure ? 443 : 80)}`;
    const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    if (username || password) logins.set(name, { username, password });
    return `${secure ? 'HTTPS' : 'PROXY'} ${name}`;
  };
  const rules: Readonly<Record<string, string>> = {
    'http:': rule(read('HTTP_PROXY')),
    'https:': rule(read('HTTPS_PROXY')),
  };
  const exceptions = [
    ...(overLoopback ? [] : loopback),
    ...read('NO_PROXY')
      .split(/[\s,]+/)
      .filter((entry) => entry !== ''),
  ];
  return {
    proxyFor: async (origin) => {
      const url = new URL(origin);
      if (exceptions.some((entry) => excepts(entry.toLowerCase(), url))) return 'DIRECT';
      return rules[url.protocol] ?? 'DIRECT';
    },
    proxyLogin: (proxy) => logins.get(proxy) ?? null,
    askProxyLogin: async () => null,
  };
}

function excepts(entry: string, { hostname, host }: URL): boolean {
  if (entry === '*' || entry === host || entry === hostname) return true;
  const domain = entry.replace(/^\*?\.?/, '.');
  return hostname.endsWith(domain);
}
