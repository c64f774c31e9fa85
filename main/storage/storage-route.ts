import type { NetworkWay, ProxyLogin } from '../ports.ts';
import { type ProxyRoute, parseRoutes, proxyName, routeAddress } from './proxy-routes.ts';
import { StorageError, type StorageFault } from './storage-error.ts';

interface StorageRouteOptions {
  readonly origin: string;
  readonly way: NetworkWay;
  readonly currentTime: () => number;
}

interface Route {
  readonly way: ProxyRoute;
  readonly login: ProxyLogin | null;
}

interface RouteLookup {
  readonly promise: Promise<Route>;
  /** Null until known; saves small files from awaiting a promise each. */
  route: Route | null;
}

/** Failed routes come last for this long, as in Chromium. */
const failurePenaltyMs = 5 * 60_000;

const connectionFailureCode =
  /^(?:E(?:NET|HOST)(?:UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT)$/;

/**
 * Chooses the route to storage: the first that connects. Queries the system at the first request and after
 * failures, since laptops move, and asks the user for a proxy's login.
 */
export class StorageRoute {
  readonly #options: StorageRouteOptions;
  /** By `routeAddress`, latest last. */
  readonly #failedAt = new Map<string, number>();
  #route: RouteLookup | null = null;
  /** When a better route may be retried, ms since the epoch. */
  #goodUntil = Number.POSITIVE_INFINITY;

  constructor(options: StorageRouteOptions) {
    this.#options = options;
  }

  /**
   * Tries each route once: a proxy URL with login, or null for direct. Throws the error of `send` (of the
   * last proxy if no route connects), or the signal's reason during the lookup.
   */
  async tryRoutes<T>(send: (proxy: string | null) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const triedRoutes = new Set<string>();
    let failure: StorageError | null = null;
    for (;;) {
      const lookup = this.#currentLookup();
      const route = lookup.route ?? (await orAborted(lookup.promise, signal));
      const address = routeAddress(route.way);
      if (failure && triedRoutes.has(address)) throw failure;
      try {
        return await send(proxyUrl(route));
      } catch (error) {
        if (!(error instanceof StorageError) || error.fault.status !== undefined) throw error;
        const isLoginRequired = error.fault.code === 'ProxyAuthentication';
        // The first failure starts a new lookup or login; other requests reuse its result.
        if (this.#route === lookup)
          this.#route = isLoginRequired ? this.#keepLookup(this.#ask(route, error)) : null;
        if (isLoginRequired) continue;
        if (!isUnconnected(error.fault, route.way)) throw error;
        this.#failedAt.delete(address);
        this.#failedAt.set(address, this.#options.currentTime());
        triedRoutes.add(address);
        // A direct route only replaces a proxy, so report the proxy's failure.
        if (!failure || route.way.kind !== 'direct') failure = error;
      }
    }
  }

  #currentLookup(): RouteLookup {
    if (this.#options.currentTime() >= this.#goodUntil) this.#route = null;
    this.#route ??= this.#keepLookup(this.#findRoute());
    return this.#route;
  }

  #keepLookup(promise: Promise<Route>): RouteLookup {
    const finding: RouteLookup = { promise, route: null };
    promise.then(
      (route) => {
        finding.route = route;
      },
      () => {
        if (this.#route === finding) this.#route = null;
      },
    );
    return finding;
  }

  async #findRoute(): Promise<Route> {
    const { origin, way: network, currentTime: nowMs } = this.#options;
    this.#goodUntil = Number.POSITIVE_INFINITY;
    const routes = parseRoutes(await network.proxyFor(origin));
    const recentFailures = [...this.#failedAt].filter(([, time]) => nowMs() - time < failurePenaltyMs);
    const rank = (way: ProxyRoute) => recentFailures.findIndex(([address]) => address === routeAddress(way));
    // Recently failed routes come last, oldest failure first.
    const [way] = routes.toSorted((a, b) => rank(a) - rank(b));
    if (!way) throw new StorageError({ code: 'ProxyUnreachable', message: 'The system names no proxy.' });
    const better = routes.slice(0, routes.indexOf(way)).map(routeAddress);
    const failureTimes = recentFailures
      .filter(([address]) => better.includes(address))
      .map(([, time]) => time);
    this.#goodUntil = Math.min(...failureTimes) + failurePenaltyMs;
    return { way, login: way.kind === 'direct' ? null : network.proxyLogin(proxyName(way)) };
  }

  async #ask({ way, login: refusedLogin }: Route, refusal: StorageError): Promise<Route> {
    if (way.kind === 'direct') throw refusal;
    const realm = /realm="([^"]*)"/i.exec(refusal.message)?.[1] ?? '';
    const login = await this.#options.way.askProxyLogin({ host: proxyName(way), realm }, refusedLogin);
    if (!login) throw refusal;
    return { way, login };
  }
}

function isUnconnected({ code = '' }: StorageFault, way: ProxyRoute): boolean {
  return way.kind === 'direct' ? connectionFailureCode.test(code) : code === 'ProxyUnreachable';
}

function proxyUrl({ way, login }: Route): string | null {
  if (way.kind === 'direct') return null;
  const url = new URL(routeAddress(way));
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
