import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProxyRule } from '../../../main/upload/proxy-rule.ts';

const host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.constantFrom('::1', 'fe80::1', '2001:db8::8:800:200c:417a').map((address) => `[${address}]`),
);
const port = fc.integer({ min: 1, max: 65535 });
const usable = fc.record({ word: fc.constantFrom('PROXY', 'HTTP', 'HTTPS', 'proxy', 'Https'), host, port });
const unusable = fc.constantFrom(
  'SOCKS a:1080',
  'SOCKS5 a:1080',
  'PROXY',
  'PROXY a:0',
  'PROXY a:99999',
  'BLUB a:1',
);
const blank = fc.constantFrom('', ' ', '  ');

describe('a proxy rule', () => {
  it('gives the first proxy that can be used, whatever stands before and after it', () => {
    fc.assert(
      fc.property(
        fc.array(unusable, { maxLength: 3 }),
        usable,
        fc.array(fc.oneof(unusable, fc.constant('DIRECT')), { maxLength: 3 }),
        blank,
        (before, { word, host, port }, after, space) => {
          const answer = [...before, `${word}${space} ${host}:${port}`, ...after].join(`;${space}`);
          const secure = word.toLowerCase() === 'https';
          expect(parseProxyRule(answer)).toEqual({ kind: 'proxy', secure, host: host.toLowerCase(), port });
        },
      ),
    );
  });

  it('goes straight where the rule says so first, or says nothing', () => {
    for (const answer of ['DIRECT', 'direct ; PROXY a:1', '', ' ; ', 'SOCKS a:1; DIRECT'])
      expect(parseProxyRule(answer)).toEqual({ kind: 'direct' });
  });

  it('never goes straight past proxies that it can’t use', () => {
    fc.assert(
      fc.property(fc.array(unusable, { minLength: 1 }), (entries) => {
        expect(parseProxyRule(entries.join(';'))).toBeNull();
      }),
    );
  });

  it('takes the scheme’s own port where none is given', () => {
    expect(parseProxyRule('PROXY a')).toMatchObject({ port: 80 });
    expect(parseProxyRule('HTTPS a')).toMatchObject({ port: 443 });
  });

  it('throws at nothing, and takes nothing for a proxy but a host and a port', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `PROXY ${text}`),
        ),
        (answer) => {
          const way = parseProxyRule(answer);
          if (way?.kind === 'proxy') expect(way.host).not.toMatch(/[@/?#\\\s]/);
        },
      ),
    );
  });
});
