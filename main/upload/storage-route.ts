import type { NetworkWay, ProxyLogin } from '../outside.ts';
import { parseProxyRule, proxyName } from './proxy-rule.ts';
import { StorageError } from './storage-error.ts';

export interface StorageRouteOptions {
  /** Of the storage. */
  readonly origin: string;
  readonly way: NetworkWay;
  /** The route from now on: the proxy's URL, with user name and password where there are any; null for straight. */
  readonly onRoute: (proxy: string | null) => void;
}

/**
 * Which way requests to storage take. The system is asked at the first request and again after a failure of the way: a laptop changes
 * offices. Where a proxy asks for a password, a person does the answering, and the request goes again.
 */
export class StorageRoute {
  readonly #options: StorageRouteOptions;
  #route: Promise<string | null> | null = null;

  constructor(options: StorageRouteOptions) {
    this.#options = options;
  }

  /** Sends by the present route. Throws what `send` throws, or the signal's reason while the way is not known yet. */
  async take<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      this.#route ??= this.#find();
      const route = this.#route;
      try {
        await orAborted(route, signal);
        return await send();
      } catch (thrown) {
        if (!(thrown instanceof StorageError) || thrown.fault.status !== undefined) throw thrown;
        const asked = thrown.fault.code === 'ProxyAuthentication';
        const refused = asked
          ? await orAborted(
              route.catch(() => null),
              signal,
            )
          : null;
        if (refused === null) {
          if (this.#route === route) this.#route = null;
          throw thrown;
        }
        // Whoever comes first asks; all others go by what it finds.
        if (this.#route === route) this.#route = this.#ask(new URL(refused), thrown);
      }
    }
  }

  async #find(): Promise<string | null> {
    const { origin, way } = this.#options;
    const rule = parseProxyRule(await way.proxyFor(origin));
    if (!rule)
      throw new StorageError({ code: 'ProxyUnreachable', message: 'The system names no HTTP proxy.' });
    if (rule.kind === 'direct') return this.#go(null);
    const name = proxyName(rule);
    const url = new URL(`${rule.secure ? 'https' : 'http'}://${name}`);
    return this.#go(withLogin(url, way.proxyLogin(name)));
  }

  /** Throws the refusal, told apart from a fresh one, when nobody gives a login. */
  async #ask(proxy: URL, refusal: StorageError): Promise<string | null> {
    const refused = loginOf(proxy);
    const host = `${proxy.hostname}:${proxy.port || (proxy.protocol === 'https:' ? 443 : 80)}`;
    const realm = /realm="([^"]*)"/i.exec(refusal.message)?.[1] ?? '';
    const login = await this.#options.way.askProxyLogin({ host, realm }, refused);
    if (!login) throw new StorageError({ code: 'ProxyAuthentication', message: refusal.message }, refusal);
    return this.#go(withLogin(proxy, login));
  }

  #go(proxy: string | null): string | null {
    this.#options.onRoute(proxy);
    return proxy;
  }
}

function withLogin(proxy: URL, login: ProxyLogin | null): string {
  const url = new URL(proxy);
  url.username = encodeURIComponent(login?.username ?? '');
  url.password = encodeURIComponent(login?.password ?? '');
  return url.href;
}

function loginOf({ username, password }: URL): ProxyLogin | null {
  if (!username && !password) return null;
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
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
