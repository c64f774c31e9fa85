import { describe, expect, it } from 'vitest';
import {
  feedAddress,
  type Installation,
  installsByItself,
  isSafe,
} from '../../../../main/desktop/updates/installation.ts';

const signed = 'provider: generic\nurl: https://updates.example/\npublisherName: Tilelift\n';
const linux: Installation = {
  platform: 'linux',
  executable: '/opt/Tilelift/tilelift',
  config: signed,
  exists: () => true,
  mayWrite: () => true,
};

it('never installs an update on Linux, where no system component verifies its signature', () => {
  expect(installsByItself(linux)).toBe(false);
});

describe('a copy on macOS', () => {
  const mac: Installation = {
    ...linux,
    platform: 'darwin',
    executable: '/Applications/Tilelift.app/Contents/MacOS/Tilelift',
  };

  it('installs automatically where the whole bundle can be replaced', () => {
    expect(installsByItself({ ...mac, mayWrite: (folder) => folder === '/Applications' })).toBe(true);
    expect(installsByItself({ ...mac, mayWrite: () => false })).toBe(false);
  });
});

describe('a copy on Windows', () => {
  const windows: Installation = {
    ...linux,
    platform: 'win32',
    // As any system's rules take it apart.
    executable: '/Programs/Tilelift/Tilelift.exe',
    exists: (path) => path.endsWith('Uninstall Tilelift.exe'),
    mayWrite: () => true,
  };

  it('installs automatically where the installer put it for one person', () => {
    expect(installsByItself(windows)).toBe(true);
  });

  it('does not if the build names no publisher whose signature could be verified', () => {
    expect(installsByItself({ ...windows, config: signed.replace(/publisherName.*/, '') })).toBe(false);
  });

  it('does not where only administrators write, or an MSI put it', () => {
    expect(installsByItself({ ...windows, mayWrite: () => false })).toBe(false);
    expect(installsByItself({ ...windows, exists: () => false })).toBe(false);
  });
});

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

  it('goes to any address with encryption, since files may be elsewhere', () => {
    expect(isSafe(new URL('https://files.example/a'), feed)).toBe(true);
  });

  it.each(['http://updates.example/a', 'http://127.0.0.1/a', 'file:///a'])('does not go to %s', (address) => {
    expect(isSafe(new URL(address), feed)).toBe(false);
  });
});
