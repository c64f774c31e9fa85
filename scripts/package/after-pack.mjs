import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFuses, shippingFuses } from './fuses.mjs';
import { tightenInfoPlist } from './info-plist.mjs';
import { executableOf } from './unpacked-app.mjs';

/** A half of an app for both kinds of Mac: they are joined afterwards, and we are called again for the whole. */
const half = /-temp$/;

/**
 * electron-builder calls this once the app's folder is whole and not yet signed: takes out Electron's own sample app, and of
 * Info.plist what is too much, and sets the fuses, all of them, so that none is left undecided.
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
