import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFuses, shippingFuses } from './fuses.mjs';
import { executableOf } from './unpacked-app.mjs';

/**
 * electron-builder calls this once the app's folder is whole and not yet signed: takes out Electron's own sample app and
 * sets the fuses, all of them, so that none is left undecided.
 * @param {import('electron-builder').AfterPackContext} context
 */
export async function afterPack({ appOutDir, packager }) {
  rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
  await setFuses(executableOf(appOutDir), shippingFuses(packager.platform.nodeName));
}
