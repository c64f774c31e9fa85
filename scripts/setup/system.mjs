import { existsSync } from 'node:fs';
import { run } from './run.mjs';
import { say } from './say.mjs';

const library = (/** @type {string} */ name) => `/usr/lib/x86_64-linux-gnu/${name}`;
const python = (/** @type {string} */ name) => `/usr/lib/python3/dist-packages/${name}`;

/** Debian packages by purpose, each with a file that only exists if it is installed. */
const groups = {
  display: { xvfb: '/usr/bin/xvfb-run', xauth: '/usr/bin/xauth' },
  electron: {
    'libgtk-3-0': library('libgtk-3.so.0'),
    libnss3: library('libnss3.so'),
    libasound2: library('libasound.so.2'),
    libgbm1: library('libgbm.so.1'),
    'libatk-bridge2.0-0': library('libatk-bridge-2.0.so.0'),
    libcups2: library('libcups.so.2'),
    libdrm2: library('libdrm.so.2'),
    libxkbcommon0: library('libxkbcommon.so.0'),
  },
  proxy: {
    'tinyproxy-bin': '/usr/bin/tinyproxy',
    microsocks: '/usr/bin/microsocks',
    iproute2: '/usr/sbin/ip',
    openssl: '/usr/bin/openssl',
  },
  interop: {
    awscli: '/usr/bin/aws',
    rclone: '/usr/bin/rclone',
    curl: '/usr/bin/curl',
    'python3-boto3': python('boto3'),
    'python3-requests': python('requests'),
    'python3-requests-oauthlib': python('requests_oauthlib'),
    'gdal-bin': '/usr/bin/gdalinfo',
  },
  shells: { fish: '/usr/bin/fish' },
  installer: { dpkg: '/usr/bin/dpkg-deb', rpm: '/usr/bin/rpmbuild', 'xz-utils': '/usr/bin/xz' },
  installed: {
    xdotool: '/usr/bin/xdotool',
    'libglib2.0-bin': '/usr/bin/gio',
    'gtk-update-icon-cache': '/usr/bin/gtk-update-icon-cache',
    'desktop-file-utils': '/usr/bin/desktop-file-validate',
  },
  keychain: {
    'gnome-keyring': '/usr/bin/gnome-keyring-daemon',
    'dbus-x11': '/usr/bin/dbus-launch',
    'dbus-daemon': '/usr/bin/dbus-run-session',
    'libsecret-1-0': library('libsecret-1.so.0'),
  },
  browser: {
    chromium: '/usr/bin/chromium',
    'xdg-utils': '/usr/bin/xdg-open',
    'desktop-file-utils': '/usr/bin/update-desktop-database',
  },
};

/** Tail of the queue of installations. */
let installing = Promise.resolve();

/**
 * Installs missing system packages for the tests without upgrading others, on Debian and derivatives as root.
 * @param {(keyof typeof groups)[]} names
 * @returns {Promise<{ name: string, missing: string[] }[]>} groups with the packages they still lack
 */
export async function ensureSystem(names) {
  const missingGroups = () =>
    names
      .map((name) => ({ name, missing: missingPackages(groups[name]) }))
      .filter(({ missing: missingPackages }) => missingPackages.length > 0);
  if (missingGroups().length > 0 && canInstall()) {
    // One at a time, because `apt-get update` doesn't wait for another one.
    installing = installing.then(() =>
      install([...new Set(missingGroups().flatMap(({ missing: missingPackages }) => missingPackages))]),
    );
    await installing;
  }
  return missingGroups();
}

/** @param {string[]} packages */
async function install(packages) {
  if (packages.length === 0) return;
  say(`Installing system packages: ${packages.join(' ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { quiet: true, env });
  // Waits for the lock of other installing programs.
  const options = ['-y', '-qq', '--no-upgrade', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
  const { code, output } = await run('apt-get', ['install', ...options, ...packages], { quiet: true, env });
  if (code !== 0) say(`apt-get could not install them:\n${output.slice(-1500)}`);
}

/**
 * @param {Readonly<Record<string, string>>} packages with a file of each
 * @param {(file: string) => boolean} exists
 */
export function missingPackages(packages, exists = existsSync) {
  return Object.keys(packages).filter((name) => !exists(packages[name] ?? ''));
}

function canInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}
