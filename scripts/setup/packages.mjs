import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { say } from './say.mjs';

/** The project's folder. */
export const root = join(import.meta.dirname, '..', '..');

const lockFile = join(root, 'package-lock.json');
const stampFile = join(root, 'node_modules', '.tilelift-lock');

/** Installs the packages of the lock file unless exactly these are installed. Runs on any Node since 20. */
export async function ensurePackages() {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  say('Installing packages (once, about a minute) …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { code, output } = await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    quiet: true,
    shell: process.platform === 'win32',
  });
  if (code !== 0) throw new Error(`Packages could not be installed. npm said:\n${output.slice(-2000)}`);
  writeFileSync(stampFile, wanted);
}

/** The Node that the project runs on: the one at hand when it is new enough, else the packaged one. */
export function projectNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** The environment in which the project's own commands are found first. */
export function projectEnvironment(extra = {}) {
  const separator = process.platform === 'win32' ? ';' : ':';
  return {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${separator}${process.env.PATH ?? ''}`,
    ...extra,
  };
}
