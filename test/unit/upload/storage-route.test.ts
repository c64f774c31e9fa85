import { describe, expect, it } from 'vitest';
import { type NetworkWay, type ProxyLogin, straightWay } from '../../../main/outside.ts';
import { StorageError } from '../../../main/upload/storage-error.ts';
import { StorageRoute } from '../../../main/upload/storage-route.ts';

const right: ProxyLogin = { username: 'me@office', password: 'p:/w' };
const rightUrl = 'http://me%40office:p%3A%2Fw@proxy:3128/';
const asks = () => new StorageError({ code: 'ProxyAuthentication', message: 'Basic realm="Office"' });

function routeBy(way: Partial<NetworkWay>) {
  const routes: (string | null)[] = [];
  const route = new StorageRoute({
    origin: 'https://storage.example',
    way: { ...straightWay, proxyFor: async () => 'PROXY proxy:3128', ...way },
    onRoute: (proxy) => routes.push(proxy),
  });
  /** Refuses all but the right login, as the proxy does. */
  const send = async () => {
    if (routes.at(-1) !== rightUrl) throw asks();
    return 'sent';
  };
  return { route, routes, send };
}

describe('the route to storage', () => {
  it('is asked for once, and for the storage’s origin', async () => {
    const origins: string[] = [];
    const proxyFor = async (origin: string) => {
      origins.push(origin);
      return 'DIRECT';
    };
    const { route, routes } = routeBy({ proxyFor });
    await Promise.all([route.take(async () => 1), route.take(async () => 2)]);
    expect(origins).toEqual(['https://storage.example']);
    expect(routes).toEqual([null]);
  });

  it('takes along the login that is known', async () => {
    const { route, routes, send } = routeBy({
      proxyLogin: (proxy) => (proxy === 'proxy:3128' ? right : null),
    });
    expect(await route.take(send)).toBe('sent');
    expect(routes).toEqual([rightUrl]);
  });

  it('has a login asked for once for all requests, again after a wrong one, and sends them again', async () => {
    const refusals: (ProxyLogin | null)[] = [];
    const wrong = { username: 'me', password: 'no' };
    const { route, send } = routeBy({
      askProxyLogin: async (proxy, refused) => {
        expect(proxy).toEqual({ host: 'proxy:3128', realm: 'Office' });
        refusals.push(refused);
        return refusals.length === 1 ? wrong : right;
      },
    });
    expect(await Promise.all([route.take(send), route.take(send), route.take(send)])).toEqual(
      Array(3).fill('sent'),
    );
    expect(refusals).toEqual([null, wrong]);
  });

  it('fails when nobody gives a login, and asks anew the next time', async () => {
    const answers = [null, right];
    const { route, send } = routeBy({ askProxyLogin: async () => answers.shift() ?? null });
    await expect(route.take(send)).rejects.toMatchObject({ fault: { code: 'ProxyAuthentication' } });
    expect(await route.take(send)).toBe('sent');
  });

  it('is looked for again after the way has failed', async () => {
    const rules = ['PROXY gone:1', 'DIRECT'];
    const { route, routes } = routeBy({ proxyFor: async () => rules.shift() ?? '' });
    const gone = new StorageError({ code: 'ProxyUnreachable' });
    await expect(route.take(() => Promise.reject(gone))).rejects.toBe(gone);
    await route.take(async () => 'sent');
    expect(routes).toEqual(['http://gone:1/', null]);
  });

  it('does not go straight where the system names only proxies that can’t be used', async () => {
    const { route, routes } = routeBy({ proxyFor: async () => 'SOCKS5 office:1080' });
    await expect(route.take(async () => 1)).rejects.toMatchObject({ fault: { code: 'ProxyUnreachable' } });
    expect(routes).toEqual([]);
  });

  it('lets go of whoever waits for a person and is told to stop', async () => {
    const stop = new AbortController();
    const { route, send } = routeBy({
      askProxyLogin: () => {
        stop.abort(new Error('paused'));
        return new Promise(() => {});
      },
    });
    await expect(route.take(send, stop.signal)).rejects.toThrow('paused');
  });
});
