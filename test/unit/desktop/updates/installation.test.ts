import { describe, expect, it } from 'vitest';
import {
  feedAddress,
  type Installation,
  installsByItself,
  isSafe,
} from '../../../../main/desktop/updates/installation.ts';

const linux: Installation = {
  platform: 'linux',
  executable: '/tmp/.mount_Tilelift/tilelift',
  image: '/home/mara/Applications/Tilelift.AppImage',
  exists: () => false,
  mayWrite: (folder) => folder === '/home/mara/Applications',
};

describe('a copy on Linux', () => {
  it('installs automatically as an AppImage in a folder of the person’s', () => {
    expect(installsByItself(linux)).toBe(true);
  });

  it('does not as an AppImage where only administrators write', () => {
    expect(installsByItself({ ...linux, image: '/opt/Tilelift.AppImage' })).toBe(false);
  });

  it('does not as a package, which would ask for a password at every quit', () => {
    expect(installsByItself({ ...linux, image: null, mayWrite: () => true })).toBe(false);
  });
});

describe('a copy on macOS', () => {
  const mac: Installation = {
    ...linux,
    platform: 'darwin',
    image: null,
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
    image: null,
    // As any system's rules take it apart.
    executable: '/Programs/Tilelift/Tilelift.exe',
    exists: (path) => path.endsWith('Uninstall Tilelift.exe'),
    mayWrite: () => true,
  };

  it('installs automatically where the installer put it for one person', () => {
    expect(installsByItself(windows)).toBe(true);
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
