import { readFileSync, writeFileSync } from 'node:fs';
import { ofLibrary } from './builder-parts.mjs';

/** @type {{ parse: (text: string) => Record<string, unknown>, build: (info: Record<string, unknown>) => string }} */
const plist = ofLibrary('plist');

/**
 * Takes out of the Info.plist of an app what Electron and electron-builder put there for any app and ours has no need of.
 * @param {string} file
 * @param {Readonly<Record<string, unknown>>} own what we have asked for there
 */
export function tightenInfoPlist(file, own) {
  writeFileSync(file, plist.build(tightened(plist.parse(readFileSync(file, 'utf8')), own)));
}

/**
 * No reason is given for asking for camera, microphone or Bluetooth, so that nothing in it can ask. Of the system's own
 * network, which the updater alone uses, only this machine is allowed in plain text: it fetches from the updater on loopback.
 * Chromium and Node don't go by these settings. Pure.
 * @param {Readonly<Record<string, unknown>>} info
 * @param {Readonly<Record<string, unknown>>} own
 */
export function tightened(info, own) {
  const kept = Object.entries(info).filter(([key]) => !key.endsWith('UsageDescription') || key in own);
  return { ...Object.fromEntries(kept), NSAppTransportSecurity: { NSAllowsLocalNetworking: true } };
}
