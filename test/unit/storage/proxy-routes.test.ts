import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRoutes } from '../../../main/storage/proxy-routes.ts';

const host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.constantFrom('::1', 'fe80::1', '2001:db8::8:800:200c:417a').map((address) => `[${address}]`),
);
const port = fc.integer({ min: 1, max: 65535 });
/** PAC keywords and Chromium's interpretation. */
const kinds = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
} as const;
const proxy = fc
  .record({ word: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])), host, port })
  .map(({ word, host, port }) => ({
    entry: `${word} ${host}:${port}`,
    way: { kind: kinds[word], host: host.toLowerCase(), port },
  }));
const straight = fc.constant({ entry: 'DIRECT', way: { kind: 'direct' } as const });
const unreadableRoute = fc.constantFrom(
  'PROXY',
  'PROXY a:0',
  'SOCKS5 a:99999',
  'BLUB a:1',
  'DIRECT a',
  'PROXY a b',
);
const space = fc.constantFrom('', ' ', '  ');

it('parseRoutes() returns all routes in order, in any case, and skips unreadable ones', () => {
  const parts = fc.array(fc.oneof(proxy, straight, unreadableRoute), { minLength: 1 });
  fc.assert(
    fc.property(parts, space, fc.boolean(), (parts, space, small) => {
      const answer = parts
        .map((part) => (typeof part === 'string' ? part : part.entry))
        .join(`${space};${space}`);
      const routes = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.way]));
      const once = [...new Map(routes.map((way) => [JSON.stringify(way), way])).values()];
      expect(parseRoutes(small ? answer.toLowerCase() : answer)).toEqual(once);
    }),
  );
});

it('parseRoutes() returns a direct route for an empty answer', () => {
  for (const answer of ['', ' ; ']) expect(parseRoutes(answer)).toEqual([{ kind: 'direct' }]);
});

it('parseRoutes() returns no route when nothing is readable, never a direct one', () => {
  fc.assert(
    fc.property(fc.array(unreadableRoute, { minLength: 1 }), (entries) => {
      expect(parseRoutes(entries.join(';'))).toEqual([]);
    }),
  );
});

it('parseRoutes() uses the usual port of each kind or the given one', () => {
  const answer = 'PROXY a; HTTPS a; SOCKS a; SOCKS5 a; PROXY a:443; HTTPS a:80; SOCKS5 a:80; SOCKS5 a:443';
  expect(parseRoutes(answer).map((way) => 'port' in way && way.port)).toEqual([
    80, 443, 1080, 1080, 443, 80, 80, 443,
  ]);
});

it('parseRoutes() never throws and accepts only hosts and ports as proxies', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string().map((text) => `PROXY ${text}`),
  );
  fc.assert(
    fc.property(text, (answer) => {
      for (const way of parseRoutes(answer))
        if (way.kind !== 'direct') expect(way.host).not.toMatch(/[@/?#\\\s]/);
    }),
  );
});
