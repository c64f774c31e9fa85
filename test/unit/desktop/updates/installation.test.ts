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

it('S49: installsByItself() is false on Linux, where no system component verifies signatures', () => {
  expect(installsByItself(linux)).toBe(false);
});

describe('installsByItself() on macOS', () => {
  const mac: Installation = {
    ...linux,
    platform: 'darwin',
    executable: '/Applications/Tilelift.app/Contents/MacOS/Tilelift',
  };

  it('installsByItself() on macOS is true when the whole bundle can be replaced', () => {
    expect(installsByItself({ ...mac, mayWrite: (folder) => folder === '/Applications' })).toBe(true);
    expect(installsByItself({ ...mac, mayWrite: () => false })).toBe(false);
  });
});

describe('installsByItself() on Windows', () => {
  const windows: Installation = {
    ...linux,
    platform: 'win32',
    // A path that every system can parse.
    executable: '/Programs/Tilelift/Tilelift.exe',
    exists: (path) => path.endsWith('Uninstall Tilelift.exe'),
    mayWrite: () => true,
  };

  it('installsByItself() on Windows is true for a per-user installation', () =>
    expect(installsByItself(windows)).toBe(true));

  it('S50: installsByItself() on Windows is false if the build names no publisher', () => {
    expect(installsByItself({ ...windows, config: signed.replace(/publisherName.*/, '') })).toBe(false);
  });

  it('installsByItself() on Windows is false when only administrators can write or an MSI installed it', () => {
    expect(installsByItself({ ...windows, mayWrite: () => false })).toBe(false);
    expect(installsByItself({ ...windows, exists: () => false })).toBe(false);
  });
});

const config = (url: string) => `provider: generic\nurl: ${url}\nupdaterCacheDirName: tilelift-updater\n`;

it.each(['https://updates.example/tilelift/', "'https://updates.example/tilelift/'"])(
  'feedAddress() returns %s',
  (url) => expect(feedAddress(config(url))?.href).toBe('https://updates.example/tilelift/'),
);

it.each([
  'https://updates.tilelift.invalid',
  'http://updates.example/',
  'http://localhost.updates.example/',
  'file:///srv/updates',
  'nonsense',
])('feedAddress() rejects %s', (url) => expect(feedAddress(config(url))).toBeNull());

it('feedAddress() is null without an address', () => {
  expect(feedAddress('')).toBeNull();
  expect(feedAddress('provider: generic\n')).toBeNull();
});

it('feedAddress() accepts this computer, for tests', () => {
  expect(feedAddress(config('http://127.0.0.1:8080/'))?.port).toBe('8080');
});

describe('isSafe()', () => {
  const feed = new URL('https://updates.example/');

  it('isSafe() accepts any encrypted address, since files may be elsewhere', () => {
    expect(isSafe(new URL('https://files.example/a'), feed)).toBe(true);
  });

  it.each(['http://updates.example/a', 'http://127.0.0.1/a', 'file:///a'])(
    'isSafe() rejects %s',
    (address) => {
      expect(isSafe(new URL(address), feed)).toBe(false);
    },
  );
});
