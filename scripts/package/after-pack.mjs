import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireLibrary } from './builder-library.mjs';
import { setFuses, shippingFuses } from './fuses.mjs';
import { executableOf } from './unpacked-app.mjs';

/** One architecture of a universal Mac app; electron-builder calls again for the merged app. */
const partialCopy = /-temp$/;

/**
 * electron-builder calls this before signing an app's folder. Removes Electron's sample app and unneeded
 * entries of Info.plist, and sets all fuses explicitly.
 * @param {import('electron-builder').AfterPackContext} context
 */
export async function afterPack({ appOutDir, packager }) {
  rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
  if (partialCopy.test(appOutDir)) return;
  const executable = executableOf(appOutDir);
  const system = packager.platform.nodeName;
  if (system === 'darwin')
    tightenInfoPlist(join(executable, '..', '..', 'Info.plist'), packager.config.mac?.extendInfo ?? {});
  await setFuses(executable, shippingFuses(system));
}

/**
 * @type {{ parse: (text: string) => Record<string, unknown>, build: (info: Record<string, unknown>) => string
 *   }}
 */
const plist = requireLibrary('plist');

/**
 * Removes default entries of Electron and electron-builder from an Info.plist.
 * @param {string} file
 * @param {Readonly<Record<string, unknown>>} ownKeys the entries that we configured
 */
function tightenInfoPlist(file, ownKeys) {
  writeFileSync(file, plist.build(tightenedInfo(plist.parse(readFileSync(file, 'utf8')), ownKeys)));
}

/**
 * Removes the usage descriptions of camera, microphone and Bluetooth, so that macOS denies them. App
 * Transport Security only allows plain text on the local network, because the updater (its only user)
 * downloads from loopback; Chromium and Node ignore these settings. Pure.
 * @param {Readonly<Record<string, unknown>>} info
 * @param {Readonly<Record<string, unknown>>} ownKeys
 */
function tightenedInfo(info, ownKeys) {
  const keptEntries = Object.entries(info).filter(
    ([key]) => !key.endsWith('UsageDescription') || key in ownKeys,
  );
  return { ...Object.fromEntries(keptEntries), NSAppTransportSecurity: { NSAllowsLocalNetworking: true } };
}
