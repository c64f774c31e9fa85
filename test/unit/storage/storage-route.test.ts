import { expect, it } from 'vitest';
import { directRoute, type NetworkWay, type ProxyLogin } from '../../../main/ports.ts';
import { StorageError } from '../../../main/storage/storage-error.ts';
import { StorageRoute } from '../../../main/storage/storage-route.ts';

const rightLogin: ProxyLogin = { username: 'me@office', password: 'p:/w' };
const rightUrl = 'http://me%40office:p%3A%2Fw@proxy:3128/';
const proxyAsks = () => new StorageError({ code: 'ProxyAuthentication', message: 'Basic realm="Office"' });
const minute = 60_000;

function routeBy(way: Partial<NetworkWay>) {
  const takenRoutes: (string | null)[] = [];
  /** Routes that fail to connect, with their error codes. */
  const deadRoutes = new Map<string | null, string>();
  const clock = { at: 0 };
  const route = new StorageRoute({
    origin: 'https://storage.example',
    way: { ...directRoute, proxyFor: async () => 'PROXY proxy:3128', ...way },
    currentTime: () => clock.at,
  });
  const send = async (proxy: string | null) => {
    takenRoutes.push(proxy);
    const code = deadRoutes.get(proxy);
    if (code) throw new StorageError({ code, message: `${code} at ${proxy}` });
    return proxy;
  };
  /** Refuses all but the right login. */
  const sendSignedIn = async (proxy: string | null) => {
    if (proxy !== rightUrl) throw proxyAsks();
    return 'sent';
  };
  return { route, taken: takenRoutes, dead: deadRoutes, clock, send, sendSignedIn };
}

const routeOver = (...routes: string[]) => routeBy({ proxyFor: async () => routes.join('; ') });

it('the route to storage is resolved once for the storage’s origin', async () => {
  const origins: string[] = [];
  const proxyFor = async (origin: string) => {
    origins.push(origin);
    return 'DIRECT';
  };
  const { route, send } = routeBy({ proxyFor });
  expect(await Promise.all([route.tryRoutes(send), route.tryRoutes(send)])).toEqual([null, null]);
  expect(origins).toEqual(['https://storage.example']);
});

it('the route to storage uses a known login', async () => {
  const { route, sendSignedIn } = routeBy({
    proxyLogin: (proxy) => (proxy === 'proxy:3128' ? rightLogin : null),
  });
  expect(await route.tryRoutes(sendSignedIn)).toBe('sent');
});

it('the route to storage uses a login for SOCKS proxies', async () => {
  const { route, send } = routeBy({ proxyFor: async () => 'SOCKS5 proxy', proxyLogin: () => rightLogin });
  expect(await route.tryRoutes(send)).toBe('socks5://me%40office:p%3A%2Fw@proxy:1080');
});

it('the route to storage asks for a login once for all requests, again after a wrong one, and resends them', async () => {
  const refusals: (ProxyLogin | null)[] = [];
  const wrongLogin = { username: 'me', password: 'no' };
  const { route, sendSignedIn: send } = routeBy({
    askProxyLogin: async (proxy, refusedLogin) => {
      expect(proxy).toEqual({ host: 'proxy:3128', realm: 'Office' });
      refusals.push(refusedLogin);
      return refusals.length === 1 ? wrongLogin : rightLogin;
    },
  });
  expect(await Promise.all([route.tryRoutes(send), route.tryRoutes(send), route.tryRoutes(send)])).toEqual(
    Array(3).fill('sent'),
  );
  expect(refusals).toEqual([null, wrongLogin]);
});

it('the route to storage fails without a login and asks again the next time', async () => {
  const answers = [null, rightLogin];
  const { route, sendSignedIn } = routeBy({ askProxyLogin: async () => answers.shift() ?? null });
  await expect(route.tryRoutes(sendSignedIn)).rejects.toMatchObject({
    fault: { code: 'ProxyAuthentication' },
  });
  expect(await route.tryRoutes(sendSignedIn)).toBe('sent');
});

it('the route to storage is resolved again after the system failed to', async () => {
  const answers = [Promise.reject(new Error('no script')), 'DIRECT'];
  const { route, send } = routeBy({ proxyFor: async () => answers.shift() ?? '' });
  await expect(route.tryRoutes(send)).rejects.toThrow('no script');
  expect(await route.tryRoutes(send)).toBeNull();
});

it('the route to storage is resolved again after a connection failure', async () => {
  const rules = ['PROXY old:1', 'PROXY new:1'];
  const { route, dead: deadRoutes, send } = routeBy({ proxyFor: async () => rules.shift() ?? '' });
  deadRoutes.set('http://old:1/', 'ECONNRESET');
  await expect(route.tryRoutes(send)).rejects.toMatchObject({ fault: { code: 'ECONNRESET' } });
  expect(await route.tryRoutes(send)).toBe('http://new:1/');
});

it('the route to storage never goes direct when no route of the system is usable', async () => {
  const { route, taken: takenRoutes, send } = routeOver('QUIC office:443');
  await expect(route.tryRoutes(send)).rejects.toMatchObject({ fault: { code: 'ProxyUnreachable' } });
  expect(takenRoutes).toEqual([]);
});

it('the route to storage stops waiting for the user on abort', async () => {
  const stop = new AbortController();
  const { route, sendSignedIn } = routeBy({
    askProxyLogin: () => {
      stop.abort(new Error('paused'));
      return new Promise(() => {});
    },
  });
  await expect(route.tryRoutes(sendSignedIn, stop.signal)).rejects.toThrow('paused');
});

it('several routes to storage use and keep the first that connects', async () => {
  const {
    route,
    taken: takenRoutes,
    dead: deadRoutes,
    send,
  } = routeOver('PROXY a:1', 'SOCKS5 b:2', 'DIRECT');
  deadRoutes.set('http://a:1/', 'ProxyUnreachable');
  expect(await route.tryRoutes(send)).toBe('socks5://b:2');
  expect(await route.tryRoutes(send)).toBe('socks5://b:2');
  expect(takenRoutes).toEqual(['http://a:1/', 'socks5://b:2', 'socks5://b:2']);
});

it('several routes to storage switch once for all requests', async () => {
  let askedCount = 0;
  const {
    route,
    dead: deadRoutes,
    send,
  } = routeBy({
    proxyFor: async () => {
      askedCount += 1;
      return 'PROXY a:1; PROXY b:2';
    },
  });
  deadRoutes.set('http://a:1/', 'ProxyUnreachable');
  expect(await Promise.all([route.tryRoutes(send), route.tryRoutes(send), route.tryRoutes(send)])).toEqual(
    Array(3).fill('http://b:2/'),
  );
  expect(askedCount).toBe(2);
});

it('several routes to storage retry a better one five minutes after it failed', async () => {
  const { route, taken: takenRoutes, dead: deadRoutes, clock, send } = routeOver('PROXY a:1', 'PROXY b:2');
  deadRoutes.set('http://a:1/', 'ProxyUnreachable');
  await route.tryRoutes(send);
  deadRoutes.clear();
  clock.at = 5 * minute - 1;
  expect(await route.tryRoutes(send)).toBe('http://b:2/');
  clock.at = 5 * minute;
  expect(await route.tryRoutes(send)).toBe('http://a:1/');
  clock.at = 60 * minute;
  await route.tryRoutes(send);
  expect(takenRoutes.slice(-2)).toEqual(['http://a:1/', 'http://a:1/']);
});

it('several routes to storage: don’t switch when storage responds through one or the proxy refuses', async () => {
  const { route, taken: takenRoutes, dead: deadRoutes, send } = routeOver('PROXY a:1', 'PROXY b:2');
  const deniedError = new StorageError({ status: 403, code: 'AccessDenied' });
  await expect(route.tryRoutes(() => Promise.reject(deniedError))).rejects.toBe(deniedError);
  deadRoutes.set('http://a:1/', 'ProxyRefused');
  await expect(route.tryRoutes(send)).rejects.toMatchObject({ fault: { code: 'ProxyRefused' } });
  deadRoutes.set('http://a:1/', 'ECONNRESET');
  await expect(route.tryRoutes(send)).rejects.toMatchObject({ fault: { code: 'ECONNRESET' } });
  expect(takenRoutes).toEqual(['http://a:1/', 'http://a:1/']);
});

it('several routes to storage include a direct connection in its place', async () => {
  const { route, dead: deadRoutes, send } = routeOver('DIRECT', 'PROXY b:2');
  deadRoutes.set(null, 'EHOSTUNREACH');
  expect(await route.tryRoutes(send)).toBe('http://b:2/');
});

it('several routes to storage are each tried once, the error names the last proxy, and the next request tries all again', async () => {
  const { route, taken: takenRoutes, dead: deadRoutes, send } = routeOver('PROXY a:1', 'PROXY b:2', 'DIRECT');
  const order = ['http://a:1/', 'http://b:2/', null];
  deadRoutes.set('http://a:1/', 'ProxyUnreachable').set('http://b:2/', 'ProxyUnreachable');
  deadRoutes.set(null, 'ECONNREFUSED');
  for (const _try of [1, 2, 3]) {
    await expect(route.tryRoutes(send)).rejects.toMatchObject({
      fault: { message: 'ProxyUnreachable at http://b:2/' },
    });
  }
  expect(takenRoutes).toEqual([...order, ...order, ...order]);
});
