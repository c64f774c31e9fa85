import { describe, expect, it } from 'vitest';
import { feedAddress, isSafe } from '../../../../main/desktop/updates/feed-address.ts';

const config = (url: string) => `provider: generic\nurl: ${url}\nupdaterCacheDirName: tilelift-updater\n`;

describe('a build’s address for updates', () => {
  it.each(['https://updates.example/tilelift/', "'https://updates.example/tilelift/'"])('is %s', (url) => {
    expect(feedAddress(config(url))?.href).toBe('https://updates.example/tilelift/');
  });

  it.each([
    'https://updates.tilelift.invalid',
    'http://updates.example/',
    'http://localhost.updates.example/',
    'file:///srv/updates',
    'nonsense',
  ])('is none where it says %s', (url) => {
    expect(feedAddress(config(url))).toBeNull();
  });

  it('is none where nothing is said', () => {
    expect(feedAddress('')).toBeNull();
    expect(feedAddress('provider: generic\n')).toBeNull();
  });

  it('may be on this computer, which is for tests', () => {
    expect(feedAddress(config('http://127.0.0.1:8080/'))?.port).toBe('8080');
  });
});

describe('a request for an update', () => {
  const feed = new URL('https://updates.example/');

  it('goes to any address with encryption, since files may lie elsewhere', () => {
    expect(isSafe(new URL('https://files.example/a'), feed)).toBe(true);
  });

  it.each(['http://updates.example/a', 'http://127.0.0.1/a', 'file:///a'])('does not go to %s', (address) => {
    expect(isSafe(new URL(address), feed)).toBe(false);
  });
});
