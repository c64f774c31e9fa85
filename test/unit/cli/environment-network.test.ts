import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useEnvironmentNetwork, wayFromEnvironment } from '../../../main/cli/environment-network.ts';
import { readAuthorityFile } from '../../../main/storage/authorities.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const bothProxies = { HTTP_PROXY: 'http://plain:3128', https_proxy: 'me%40office:p%3Aw@secret:8080' };

it.each([
  ['http://storage.example', 'PROXY plain:3128'],
  ['https://storage.example', 'PROXY secret:8080'],
  ['http://127.0.0.1:9000', 'DIRECT'],
  ['http://[::1]:9000', 'DIRECT'],
  ['https://localhost', 'DIRECT'],
])('wayFromEnvironment() reaches %s by %s', async (origin, rule) => {
  expect(await wayFromEnvironment(bothProxies).proxyFor(origin)).toBe(rule);
});

it.each([
  ['example.com', 'https://example.com', 'DIRECT'],
  ['example.com', 'https://a.example.com', 'DIRECT'],
  ['.example.com', 'https://a.example.com:8443', 'DIRECT'],
  ['*.example.com', 'https://a.example.com', 'DIRECT'],
  ['example.com', 'https://badexample.com', 'PROXY secret:8080'],
  ['a.example.com:9000', 'https://a.example.com:9000', 'DIRECT'],
  ['a.example.com:9000', 'https://a.example.com', 'PROXY secret:8080'],
  ['x, y z.org', 'https://z.org', 'DIRECT'],
  ['*', 'https://z.org', 'DIRECT'],
])('wayFromEnvironment() with NO_PROXY=%s reaches %s by %s', async (noProxy, origin, rule) => {
  expect(await wayFromEnvironment({ ...bothProxies, NO_PROXY: noProxy }).proxyFor(origin)).toBe(rule);
});

it('wayFromEnvironment() separates a proxy’s login from its rule', () => {
  const way = wayFromEnvironment(bothProxies);
  expect(way.proxyLogin('secret:8080')).toEqual({ username: 'me@office', password: 'p:w' });
  expect(way.proxyLogin('plain:3128')).toBeNull();
});

it('wayFromEnvironment() connects directly without proxies', async () => {
  expect(await wayFromEnvironment({}).proxyFor('https://a.example')).toBe('DIRECT');
});

describe('useEnvironmentNetwork()', () => {
  const unusedAddress = 'http://127.0.0.1:9/';

  /** Returns whether the office’s authorities are trusted after a failed request. */
  async function trustsAfter(address: string, environment: NodeJS.ProcessEnv = {}): Promise<boolean> {
    const folder = temporaryFolder();
    const previous = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(previous));
    const { caFile } = await makeCertificate(folder);
    const { fetch } = useEnvironmentNetwork({ ...environment }, caFile);
    await expect(fetch(address)).rejects.toThrow();
    const [office] = readAuthorityFile(caFile);
    return getCACertificates('default').some((pem) => pem.trim() === office?.trim());
  }

  it('useEnvironmentNetwork() trusts authorities of system and office from the first encrypted request', async () => {
    expect(await trustsAfter(unusedAddress.replace('http', 'https'))).toBe(true);
  });

  it('useEnvironmentNetwork() trusts authorities of system and office for an encrypted proxy', async () => {
    expect(await trustsAfter(unusedAddress, { HTTP_PROXY: 'https://127.0.0.1:9' })).toBe(true);
  });

  it('useEnvironmentNetwork() reads no authorities for a plain request', async () =>
    expect(await trustsAfter(unusedAddress)).toBe(false));
});
