import { join } from 'node:path';
import { ensureElectron } from '../setup/electron.mjs';
import { projectEnvironment, projectNode, root } from '../setup/packages.mjs';
import { run } from '../setup/run.mjs';

/** @typedef {{ official: true } | { official: false, folder: string, version: string }} ElectronToPack */

/**
 * Runs electron-builder, which only finds an officially downloaded Electron by itself.
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, forRelease?: boolean, find?: () => Promise<ElectronToPack> }}
 * [options] `forRelease`: requires the official Electron. `find`: returns the Electron to pack (default: this
 * system’s).
 */
export async function electronBuilder(args, { env, forRelease = false, find = ensureElectron } = {}) {
  const electron = await find();
  // A fresh clone has no packages yet when this file loads.
  const { writeLinuxScripts } = await import('./linux-scripts.mjs');
  writeLinuxScripts();
  if (forRelease && !electron.official)
    throw new Error('A release is made of the official Electron, and its download can’t be reached.');
  const standIn = electron.official
    ? []
    : [`-c.electronDist=${electron.folder}`, `-c.electronVersion=${electron.version}`];
  await tool('node_modules/electron-builder/cli.js', [...args, '--publish', 'never', ...standIn], env);
}

/**
 * Runs one of our tools quietly. Throws with the end of its output if it fails.
 * @param {string} entry below the project’s folder
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export async function tool(entry, args, env = {}) {
  const { code, output } = await run(projectNode(), [join(root, entry), ...args], {
    cwd: root,
    quiet: true,
    env: projectEnvironment(env),
  });
  if (code !== 0) throw new Error(`${entry} failed:\n${output.slice(-4000)}`);
}
