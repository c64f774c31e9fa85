/** The ways that Tilelift can take out of an office: straight, or over an HTTP proxy. */
export type WayOut =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy';
      /** The proxy itself is spoken to over TLS. */
      readonly secure: boolean;
      /** As in a URL: an IPv6 address in brackets. */
      readonly host: string;
      readonly port: number;
    };

/** Words of a PAC answer for an HTTP proxy, and whether it is spoken to over TLS. SOCKS is none. */
const proxyKinds: Readonly<Record<string, boolean>> = { PROXY: false, HTTP: false, HTTPS: true };

/**
 * The first way of a PAC answer ("PROXY proxy.office:3128; DIRECT") that Tilelift can take, `null` where there is none: SOCKS
 * proxies and what can't be read are passed over. An empty answer means straight, as in browsers.
 */
export function parseProxyRule(answer: string): WayOut | null {
  const entries = answer.split(';').map((entry) => entry.trim());
  const given = entries.filter((entry) => entry !== '');
  if (given.length === 0) return { kind: 'direct' };
  for (const entry of given) {
    const way = parseEntry(entry);
    if (way) return way;
  }
  return null;
}

function parseEntry(entry: string): WayOut | null {
  const [word = '', place, ...more] = entry.split(/\s+/);
  const kind = word.toUpperCase();
  if (kind === 'DIRECT') return place === undefined ? { kind: 'direct' } : null;
  const secure = proxyKinds[kind];
  if (secure === undefined || place === undefined || more.length > 0) return null;
  return parsePlace(place, secure);
}

function parsePlace(place: string, secure: boolean): WayOut | null {
  // Nothing but a host and a port: no user, path, query or fragment.
  if (/[@/\\?#]/.test(place)) return null;
  const scheme = secure ? 'https' : 'http';
  const url = URL.parse(`${scheme}://${place}`);
  if (!url?.hostname || url.port === '0') return null;
  return { kind: 'proxy', secure, host: url.hostname, port: Number(url.port) || (secure ? 443 : 80) };
}

/** `host:port`: how a proxy is named to a person, and in the vault. */
export function proxyName({ host, port }: WayOut & { kind: 'proxy' }): string {
  return `${host}:${port}`;
}
