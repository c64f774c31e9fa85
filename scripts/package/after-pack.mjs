import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ofLibrary } from './builder-library.mjs';
import { setFuses, shippingFuses } from './fuses.mjs';
import { executableOf } from './unpacked-app.mjs';

/** A half of an app for both kinds of Mac: they are joined afterwards; we are called again for that. */
const half = /-temp$/;

/**
 * electron-builder calls this once the app's folder is whole and not yet signed: takes out Electron's own
 * sample app, and of Info.plist what is too much, and sets the fuses, all of them, so that none is left
 * undecided.
 * @param {import('electron-builder').AfterPackContext} context
 */
export async function afterPack({ appOutDir, packager }) {
  rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
  if (half.test(appOutDir)) return;
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
const plist = ofLibrary('plist');

/**
 * Takes out of the Info.plist of an app what Electron and electron-builder put there for any app and ours has
 * no need of.
 * @param {string} file
 * @param {Readonly<Record<string, unknown>>} own what we have asked for there
 */
function tightenInfoPlist(file, own) {
  writeFileSync(file, plist.build(tightened(plist.parse(readFileSync(file, 'utf8')), own)));
}

/**
 * No reason is given for asking for camera, microphone or Bluetooth, so that nothing in it can ask. Of the
 * system's own network, which the updater alone uses, only this machine is allowed in plain text: it fetches
 * from the updater on loopback. Chromium and Node don't go by these settings. Pure.
 * @param {Readonly<Record<string, unknown>>} info
 * @param {Readonly<Record<string, unknown>>} own
 */
function tightened(info, own) {
  const kept = Object.entries(info).filter(([key]) => !key.endsWith('UsageDescription') || key in own);
  return { ...Object.fromEntries(kept), NSAppTransportSecurity: { NSAllowsLocalNetworking: true } };
}
