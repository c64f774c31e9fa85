import { describe, expect, it } from 'vitest';
import { type Installation, installsByItself } from '../../../../main/desktop/updates/way-to-install.ts';

const linux: Installation = {
  platform: 'linux',
  executable: '/tmp/.mount_Tilelift/tilelift',
  image: '/home/mara/Applications/Tilelift.AppImage',
  exists: () => false,
  mayWrite: (folder) => folder === '/home/mara/Applications',
};

describe('a copy on Linux', () => {
  it('installs by itself as an AppImage in a folder of the person’s', () => {
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

  it('installs by itself where the whole bundle can be replaced', () => {
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

  it('installs by itself where the installer put it for one person', () => {
    expect(installsByItself(windows)).toBe(true);
  });

  it('does not where only administrators write, or an MSI put it', () => {
    expect(installsByItself({ ...windows, mayWrite: () => false })).toBe(false);
    expect(installsByItself({ ...windows, exists: () => false })).toBe(false);
  });
});
