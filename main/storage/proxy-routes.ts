/** `https`: an HTTP proxy over TLS. */
type ProxyKind = 'http' | 'https' | 'socks4' | 'socks5';

interface ProxyWay {
  readonly kind: ProxyKind;
  /** As in a URL: IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
}

/** A direct route or one over a proxy. */
export type ProxyRoute = { readonly kind: 'direct' } | ProxyWay;

/** PAC keywords. `SOCKS` means version 4, as in Chromium. */
const proxyKinds: Readonly<Record<string, ProxyKind>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};

const defaultPorts: Readonly<Record<ProxyKind, number>> = {
  http: 80,
  https: 443,
  socks4: 1080,
  socks5: 1080,
};

/** Only host and port: no user, path, query or fragment. */
const place = /^(?<host>\[[\da-f:.]+\]|[^\s:@/\\?#[\]]+)(?::(?<port>\d+))?$/i;

/**
 * Parses a PAC result ("PROXY proxy.office:3128; SOCKS5 other:1080; DIRECT"), deduplicated. Skips unreadable
 * entries; an empty answer means direct, as in browsers.
 */
export function parseRoutes(answer: string): readonly ProxyRoute[] {
  const entries = answer.split(';').map((entry) => entry.trim());
  const filledEntries = entries.filter((entry) => entry !== '');
  if (filledEntries.length === 0) return [{ kind: 'direct' }];
  const routes = new Map<string, ProxyRoute>();
  for (const entry of filledEntries) {
    const way = parseEntry(entry);
    if (way) routes.set(routeAddress(way), way);
  }
  return [...routes.values()];
}

function parseEntry(entry: string): ProxyRoute | null {
  const [word = '', text, ...excessWords] = entry.split(/\s+/);
  const name = word.toUpperCase();
  if (name === 'DIRECT') return text === undefined ? { kind: 'direct' } : null;
  const kind = proxyKinds[name];
  return kind === undefined || text === undefined || excessWords.length > 0 ? null : parsePlace(text, kind);
}

function parsePlace(text: string, kind: ProxyKind): ProxyWay | null {
  const { host: name = '', port: digits } = place.exec(text)?.groups ?? {};
  const host = URL.parse(`http://${name}`)?.hostname;
  const port = digits === undefined ? defaultPorts[kind] : Number(digits);
  return host && port > 0 && port <= 65_535 ? { kind, host, port } : null;
}

/** `host:port`, as shown to the user and used in the vault. */
export function proxyName({ host, port }: ProxyWay): string {
  return `${host}:${port}`;
}

/** `socks5://host:port`, or `direct`: identifies a route. */
export function routeAddress(way: ProxyRoute): string {
  return way.kind === 'direct' ? way.kind : `${way.kind}://${proxyName(way)}`;
}
