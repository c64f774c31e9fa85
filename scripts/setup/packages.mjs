import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { say } from './say.mjs';

export const root = join(import.meta.dirname, '..', '..');

const lockFile = join(root, 'package-lock.json');
const stampFile = join(root, 'node_modules', '.tilelift-lock');

const installedFile = join(root, 'node_modules', '.package-lock.json');

/**
 * Installs the lock file's packages unless exactly these are installed (by us or by `npm ci`). Runs on Node
 * 20 or later.
 */
export async function ensurePackages() {
  const lock = readFileSync(lockFile, 'utf8');
  const lockHash = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lockHash) return;
  if (existsSync(installedFile) && areInstalled(lock, readFileSync(installedFile, 'utf8'))) {
    writeFileSync(stampFile, lockHash);
    return;
  }
  say('Installing packages (once, about a minute) …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { code, output } = await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    quiet: true,
    shell: process.platform === 'win32',
  });
  if (code !== 0) throw new Error(`Packages could not be installed. npm said:\n${output.slice(-2000)}`);
  writeFileSync(stampFile, lockHash);
}

/**
 * Whether npm installed a lock file's packages; optional ones may be for another system.
 * @param {string} lock text of the lock file
 * @param {string} installedText text of npm's own list, in the same form without the project itself
 */
export function areInstalled(lock, installedText) {
  /**
   * @type {(text: string) => Record<string, { version?: string, integrity?: string, optional?: boolean }>}
   */
  const packages = (text) => {
    try {
      return JSON.parse(text).packages ?? {};
    } catch {
      return {};
    }
  };
  const lockedPackages = packages(lock);
  const installedPackages = packages(installedText);
  return (
    Object.keys(installedPackages).length > 0 &&
    Object.keys(installedPackages).every((path) => Object.hasOwn(lockedPackages, path)) &&
    Object.entries(lockedPackages).every(([path, { version, integrity, optional }]) => {
      const installedPackage = installedPackages[path];
      if (path === '' || (!installedPackage && optional)) return true;
      return installedPackage?.version === version && installedPackage?.integrity === integrity;
    })
  );
}

/** The project's Node: the current one if it is new enough, otherwise the packaged one. */
export function projectNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Environment whose PATH starts with the project's own commands. */
export function projectEnvironment(extraVariables = {}) {
  const separator = process.platform === 'win32' ? ';' : ':';
  return {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${separator}${process.env.PATH ?? ''}`,
    ...extraVariables,
  };
}
