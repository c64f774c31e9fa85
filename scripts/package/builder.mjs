import { join } from 'node:path';
import { ensureElectron } from '../setup/electron.mjs';
import { projectEnvironment, projectNode, root } from '../setup/packages.mjs';
import { run } from '../setup/run.mjs';

/** @typedef {{ official: true } | { official: false, folder: string, version: string }} ElectronToPack */

/**
 * Runs electron-builder, which only finds an officially downloaded Electron by itself.
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, forRelease?: boolean, isShown?: boolean, find?: () =>
 * Promise<ElectronToPack> }}
 * [options] `forRelease`: requires the official Electron. `find`: returns the Electron to pack (default: this
 * system’s). `isShown`: shows electron-builder’s output.
 * @returns {Promise<string | undefined>} the version of Electron’s stand-in
 */
export async function electronBuilder(
  args,
  { env, forRelease = false, isShown = false, find: findElectron = ensureElectron } = {},
) {
  const electron = await findElectron();
  // A fresh clone has no packages yet when this file loads.
  const { writeLinuxScripts } = await import('./linux-scripts.mjs');
  writeLinuxScripts();
  const { writeNotices } = await import('./notices.mjs');
  writeNotices('desktop', join(root, 'out', 'package'));
  if (forRelease && !electron.official)
    throw new Error('A release is made of the official Electron, and its download can’t be reached.');
  const standIn = electron.official
    ? []
    : [`-c.electronDist=${electron.folder}`, `-c.electronVersion=${electron.version}`];
  const builder = 'node_modules/electron-builder/cli.js';
  // fpm's tar and xz use one core by default.
  await tool(builder, [...args, '--publish', 'never', ...standIn], { XZ_OPT: '-T0', ...env }, isShown);
  return electron.official ? undefined : electron.version;
}

/**
 * Runs one of our tools. Throws with the end of its output if it fails.
 * @param {string} entry below the project’s folder
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @param {boolean} [isShown] on standard error, as progress
 */
export async function tool(entry, args, env = {}, isShown = false) {
  const { code, output } = await run(projectNode(), [join(root, entry), ...args], {
    cwd: root,
    ...(isShown ? { stdio: ['ignore', 2, 2] } : { quiet: true }),
    env: projectEnvironment(env),
  });
  if (code !== 0) throw new Error(`${entry} failed:\n${output.slice(-4000)}`);
}
