import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Where the packer puts the shipping build and the trial for Windows, and where the twin for end-to-end tests
 * is.
 */
export const outputs = { shipping: 'dist', forTests: 'dist-test', windowsTrial: 'dist-win' };

/**
 * The one unpacked app in a folder that the packer filled.
 * @param {string} output
 */
export function unpackedApp(output) {
  const name = readdirSync(output).find((entry) => /^(linux|win|mac)/.test(entry));
  if (!name) throw new Error(`There is no packaged app in ${output}: run npm run package -- --for-tests`);
  return join(output, name);
}

/**
 * What starts the app that lies unpacked in a folder such as `linux-unpacked`.
 * @param {string} folder
 */
export function executableOf(folder) {
  const system = basename(folder);
  if (system.startsWith('mac')) return join(folder, 'Tilelift.app', 'Contents', 'MacOS', 'Tilelift');
  return join(folder, system.startsWith('win') ? 'Tilelift.exe' : 'tilelift');
}
