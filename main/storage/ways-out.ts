/** How a proxy is spoken to: `https` is an HTTP proxy over TLS. */
type ProxyKind = 'http' | 'https' | 'socks4' | 'socks5';

interface ProxyWay {
  readonly kind: ProxyKind;
  /** As in a URL: an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
}

/** The ways that Tilelift can take out of an office: straight, or over a proxy. */
export type WayOut = { readonly kind: 'direct' } | ProxyWay;

/** The words of a PAC answer. `SOCKS` alone is version 4, as Chromium has it. */
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

/** Nothing but a host and a port: no user, path, query or fragment. */
const place = /^(?<host>\[[\da-f:.]+\]|[^\s:@/\\?#[\]]+)(?::(?<port>\d+))?$/i;

/**
 * The ways of a PAC answer ("PROXY proxy.office:3128; SOCKS5 other:1080; DIRECT") in their order, each once.
 * What can't be read is passed over; where nothing else is left there is no way. An empty answer means
 * straight, as in browsers.
 */
export function parseWaysOut(answer: string): readonly WayOut[] {
  const entries = answer.split(';').map((entry) => entry.trim());
  const given = entries.filter((entry) => entry !== '');
  if (given.length === 0) return [{ kind: 'direct' }];
  const ways = new Map<string, WayOut>();
  for (const entry of given) {
    const way = parseEntry(entry);
    if (way) ways.set(wayAddress(way), way);
  }
  return [...ways.values()];
}

function parseEntry(entry: string): WayOut | null {
  const [word = '', text, ...more] = entry.split(/\s+/);
  const name = word.toUpperCase();
  if (name === 'DIRECT') return text === undefined ? { kind: 'direct' } : null;
  const kind = proxyKinds[name];
  return kind === undefined || text === undefined || more.length > 0 ? null : parsePlace(text, kind);
}

function parsePlace(text: string, kind: ProxyKind): ProxyWay | null {
  const { host: name = '', port: digits } = place.exec(text)?.groups ?? {};
  const host = URL.parse(`http://${name}`)?.hostname;
  const port = digits === undefined ? defaultPorts[kind] : Number(digits);
  return host && port > 0 && port <= 65_535 ? { kind, host, port } : null;
}

/** `host:port`: how a proxy is named to a person, and in the vault. */
export function proxyName({ host, port }: ProxyWay): string {
  return `${host}:${port}`;
}

/** `socks5://host:port`, or `direct`: tells ways apart. */
export function wayAddress(way: WayOut): string {
  return way.kind === 'direct' ? way.kind : `${way.kind}://${proxyName(way)}`;
}
