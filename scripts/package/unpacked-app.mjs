import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Output folders of the shipping build, the twin for end-to-end tests, and the Windows trial. */
export const outputs = { shipping: 'dist', forTests: 'dist-test', windowsTrial: 'dist-win' };

/**
 * The unpacked app in a packer's output folder.
 * @param {string} output
 */
export function unpackedApp(output) {
  const name = readdirSync(output).find((entry) => /^(linux|win|mac)/.test(entry));
  if (!name) throw new Error(`There is no packaged app in ${output}: run npm run package -- --for-tests`);
  return join(output, name);
}

/**
 * Executable of an unpacked app in a folder such as `linux-unpacked`.
 * @param {string} folder
 */
export function executableOf(folder) {
  const system = basename(folder);
  if (system.startsWith('mac')) return join(folder, 'Tilelift.app', 'Contents', 'MacOS', 'Tilelift');
  return join(folder, system.startsWith('win') ? 'Tilelift.exe' : 'tilelift');
}
