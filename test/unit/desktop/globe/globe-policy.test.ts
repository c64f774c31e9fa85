import { describe, expect, it } from 'vitest';
import { globePolicy, isAllowedRequest, shownEndpoint } from '../../../../main/desktop/globe/globe-policy.ts';

const tiles = 'https://tiles.example/7/tileset.json';
const endpoint = { type: '3DTILES', url: tiles, accessToken: 'token', attributions: [] };
const shown = (url: string, serviceUrl = 'https://service.example') =>
  shownEndpoint({ ...endpoint, url }, serviceUrl) !== null;

describe('endpoints that the globe shows', () => {
  it('have https or the service’s own origin, and no credentials in the address', () => {
    expect(shown(tiles)).toBe(true);
    expect(shown('http://127.0.0.1:9000/tiles/7/', 'http://127.0.0.1:9000')).toBe(true);
    for (const url of [
      'http://tiles.example/7/',
      'http://127.0.0.1:9001/',
      'https://user@tiles.example/',
      'file:///etc/passwd',
      'app://tilelift/',
      'tileset.json',
    ])
      expect(shown(url, 'http://127.0.0.1:9000'), url).toBe(false);
  });

  it('have a type that the globe draws', () => {
    expect(shownEndpoint({ ...endpoint, type: 'GLTF' }, tiles)).toBeNull();
    expect(shownEndpoint({ ...endpoint, type: 'TERRAIN' }, tiles)?.type).toBe('TERRAIN');
  });
});

it('S159: a globe’s page loads only its own files and the asset’s origin', () => {
  const policy = globePolicy(tiles).split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
  expect(policy).toContain("connect-src 'self' blob: data: https://tiles.example");
  const allowed = (address: string) => isAllowedRequest(address, 'app://globe', tiles);
  for (const address of ['app://globe/index.html', 'https://tiles.example/7/0/0.b3dm', 'blob:app://globe/1'])
    expect(allowed(address), address).toBe(true);
  for (const address of [
    'app://tilelift/index.html',
    'https://tiles.example.evil.example/',
    'https://tiles.example:444/',
    'http://tiles.example/',
    'wss://tiles.example/',
    'file:///etc/passwd',
    'nonsense',
  ])
    expect(allowed(address), address).toBe(false);
});
