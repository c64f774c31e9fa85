import type { NetworkWay, ProxyLogin } from '../outside.ts';
import { StorageError, type StorageFault } from './storage-error.ts';
import { parseWaysOut, proxyName, type WayOut, wayAddress } from './ways-out.ts';

interface StorageRouteOptions {
  /** Of the storage. */
  readonly origin: string;
  readonly way: NetworkWay;
  /** Wall clock, ms since the epoch. */
  readonly now: () => number;
}

interface Route {
  readonly way: WayOut;
  readonly login: ProxyLogin | null;
}

/** A route that is looked for, or was found. */
interface Finding {
  readonly promise: Promise<Route>;
  /** Null until it is known: thousands of small files need not wait for a promise each. */
  found: Route | null;
}

/** A way that failed is not the first choice for so long, as in Chromium. */
const badMs = 5 * 60_000;

/** Codes of a connection that goes straight and did not come about. */
const unconnected = /^(?:E(?:NET|HOST)(?:UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT)$/;

/**
 * Which way requests to storage take. The system is asked at the first request and again after a failure of
 * the way: a laptop changes offices. Of several ways the first that makes a connection is taken. Where a
 * proxy asks for a password, a person does the answering, and the request goes again.
 */
export class StorageRoute {
  readonly #options: StorageRouteOptions;
  /** When ways failed, by `wayAddress`; the latest is the last. */
  readonly #failedAt = new Map<string, number>();
  #route: Finding | null = null;
  /** When a way that would be better than the present one is worth another try, ms since the epoch. */
  #goodUntil = Number.POSITIVE_INFINITY;

  constructor(options: StorageRouteOptions) {
    this.#options = options;
  }

  /**
   * Sends by the present route: over that proxy, a URL with user name and password where there are any; null
   * for straight. Each way is tried once. Throws what `send` throws (where no way made a connection, what it
   * threw for the last proxy), or the signal's reason while the way is not known yet.
   */
  async take<T>(send: (proxy: string | null) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const tried = new Set<string>();
    let failure: StorageError | null = null;
    for (;;) {
      const finding = this.#present();
      const route = finding.found ?? (await orAborted(finding.promise, signal));
      const address = wayAddress(route.way);
      if (failure && tried.has(address)) throw failure;
      try {
        return await send(proxyUrl(route));
      } catch (thrown) {
        if (!(thrown instanceof StorageError) || thrown.fault.status !== undefined) throw thrown;
        const asked = thrown.fault.code === 'ProxyAuthentication';
        // Whoever comes first finds another way or asks; all others go by what it finds.
        if (this.#route === finding) this.#route = asked ? this.#keep(this.#ask(route, thrown)) : null;
        if (asked) continue;
        if (!isUnconnected(thrown.fault, route.way)) throw thrown;
        this.#failedAt.delete(address);
        this.#failedAt.set(address, this.#options.now());
        tried.add(address);
        // Going straight is a stand-in for a proxy, whose trouble it then is.
        if (!failure || route.way.kind !== 'direct') failure = thrown;
      }
    }
  }

  #present(): Finding {
    if (this.#options.now() >= this.#goodUntil) this.#route = null;
    this.#route ??= this.#keep(this.#find());
    return this.#route;
  }

  /** What could not be found is looked for again. */
  #keep(promise: Promise<Route>): Finding {
    const finding: Finding = { promise, found: null };
    promise.then(
      (route) => {
        finding.found = route;
      },
      () => {
        if (this.#route === finding) this.#route = null;
      },
    );
    return finding;
  }

  async #find(): Promise<Route> {
    const { origin, way: network, now } = this.#options;
    this.#goodUntil = Number.POSITIVE_INFINITY;
    const ways = parseWaysOut(await network.proxyFor(origin));
    const failed = [...this.#failedAt].filter(([, at]) => now() - at < badMs);
    const rank = (way: WayOut) => failed.findIndex(([address]) => address === wayAddress(way));
    // What failed lately comes last, the longest ago first.
    const [way] = ways.toSorted((one, other) => rank(one) - rank(other));
    if (!way) throw new StorageError({ code: 'ProxyUnreachable', message: 'The system names no proxy.' });
    const better = ways.slice(0, ways.indexOf(way)).map(wayAddress);
    const since = failed.filter(([address]) => better.includes(address)).map(([, at]) => at);
    this.#goodUntil = Math.min(...since) + badMs;
    return { way, login: way.kind === 'direct' ? null : network.proxyLogin(proxyName(way)) };
  }

  /** Throws the refusal when nobody gives a login. */
  async #ask({ way, login: refused }: Route, refusal: StorageError): Promise<Route> {
    if (way.kind === 'direct') throw refusal;
    const realm = /realm="([^"]*)"/i.exec(refusal.message)?.[1] ?? '';
    const login = await this.#options.way.askProxyLogin({ host: proxyName(way), realm }, refused);
    if (!login) throw refusal;
    return { way, login };
  }
}

function isUnconnected({ code = '' }: StorageFault, way: WayOut): boolean {
  return way.kind === 'direct' ? unconnected.test(code) : code === 'ProxyUnreachable';
}

function proxyUrl({ way, login }: Route): string | null {
  if (way.kind === 'direct') return null;
  const url = new URL(wayAddress(way));
  url.username = encodeURIComponent(login?.username ?? '');
  url.password = encodeURIComponent(login?.password ?? '');
  return url.href;
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
