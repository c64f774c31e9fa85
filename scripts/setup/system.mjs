import { existsSync } from 'node:fs';
import { run } from './run.mjs';
import { say } from './say.mjs';

/** Debian packages by what they are for, with a file that shows that they are there. */
const groups = {
  display: {
    shownBy: ['/usr/bin/xvfb-run', '/usr/bin/xauth'],
    packages: ['xvfb', 'xauth'],
  },
  electron: {
    shownBy: [
      '/usr/lib/x86_64-linux-gnu/libgtk-3.so.0',
      '/usr/lib/x86_64-linux-gnu/libnss3.so',
      '/usr/lib/x86_64-linux-gnu/libgbm.so.1',
      '/usr/lib/x86_64-linux-gnu/libasound.so.2',
    ],
    packages: [
      'libgtk-3-0',
      'libnss3',
      'libasound2',
      'libgbm1',
      'libatk-bridge2.0-0',
      'libcups2',
      'libdrm2',
      'libxkbcommon0',
    ],
  },
  proxy: {
    shownBy: ['/usr/bin/tinyproxy', '/usr/bin/microsocks', '/usr/sbin/ip', '/usr/bin/openssl'],
    packages: ['tinyproxy-bin', 'microsocks', 'iproute2', 'openssl'],
  },
  interop: {
    shownBy: [
      '/usr/bin/aws',
      '/usr/bin/rclone',
      '/usr/bin/curl',
      '/usr/lib/python3/dist-packages/boto3',
      '/usr/lib/python3/dist-packages/requests_oauthlib',
      '/usr/bin/gdalinfo',
    ],
    packages: [
      'awscli',
      'rclone',
      'curl',
      'python3-boto3',
      'python3-requests',
      'python3-requests-oauthlib',
      'gdal-bin',
    ],
  },
  installer: {
    shownBy: ['/usr/bin/dpkg-deb', '/usr/bin/rpmbuild', '/usr/bin/xz'],
    packages: ['dpkg', 'rpm', 'xz-utils'],
  },
  installed: {
    shownBy: [
      '/usr/bin/xdotool',
      '/usr/bin/gio',
      '/usr/bin/gtk-update-icon-cache',
      '/usr/bin/desktop-file-validate',
    ],
    packages: ['xdotool', 'libglib2.0-bin', 'gtk-update-icon-cache', 'desktop-file-utils'],
  },
  keychain: {
    shownBy: ['/usr/bin/gnome-keyring-daemon', '/usr/bin/dbus-run-session'],
    packages: ['gnome-keyring', 'dbus-x11', 'libsecret-1-0'],
  },
  shells: {
    shownBy: ['/usr/bin/fish'],
    packages: ['fish'],
  },
  browser: {
    shownBy: ['/usr/bin/chromium', '/usr/bin/xdg-open', '/usr/bin/update-desktop-database'],
    packages: ['chromium', 'xdg-utils', 'desktop-file-utils'],
  },
};

/**
 * Installs what the tests need of the system, where that is possible: Debian or a relative of it, as root.
 * @param {(keyof typeof groups)[]} names
 * @returns {Promise<{ name: string, missing: string[] }[]>} the groups that are still not whole
 */
export async function ensureSystem(names) {
  const lacking = () => names.filter((name) => !groups[name].shownBy.every((file) => existsSync(file)));
  const wanted = lacking();
  if (wanted.length > 0 && canInstall()) {
    const packages = wanted.flatMap((name) => groups[name].packages);
    say(`Installing system packages: ${packages.join(' ')} …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { quiet: true, env });
    const { code, output } = await run(
      'apt-get',
      // A step beside this one may be installing the package that it tests.
      ['install', '-y', '-qq', '-o', 'DPkg::Lock::Timeout=300', '--no-install-recommends', ...packages],
      { quiet: true, env },
    );
    if (code !== 0) say(`apt-get could not install them:\n${output.slice(-1500)}`);
  }
  return lacking().map((name) => ({ name, missing: groups[name].packages }));
}

function canInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}
