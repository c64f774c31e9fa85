/**
 * `npm run package`: builds and packs the app for this system, unpacked, into `dist/`, and writes a bill of
 * materials there. Standard error shows the progress, standard output the results.
 * - `--installer` also makes this system's installers.
 * - `--for-tests` also makes the twin in `dist-test/` for end-to-end tests.
 * - `--release` rejects a stand-in for Electron (docs/decisions/002-electron-without-download.md).
 * - `--windows` packs for 64-bit Windows on any system, unpacked, into `dist-win/`: for inspection only.
 * - `--quick` compresses packages less: the same content in larger files.
 * - `--cli` only makes the packages of the command `tilelift`.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { copyUpdateFiles, installerTargets } from './installer/targets.mjs';
import { electronBuilder, tool } from './package/builder.mjs';
import { outputs } from './package/unpacked-app.mjs';
import { electronForWindows } from './setup/electron.mjs';
import { ensurePackages, root } from './setup/packages.mjs';
import { say } from './setup/say.mjs';

const hasOption = (/** @type {string} */ option) => process.argv.includes(option);
const startedAt = Date.now();

try {
  await ensurePackages();
  if (hasOption('--cli')) {
    const { packageCommand } = await import('./cli/packages.mjs');
    for (const line of await packageCommand({ quick: hasOption('--quick') })) say(line);
    await listMaterials('command');
  } else await packApp();
  for (const line of results()) process.stdout.write(`${line}\n`);
  say(`Done in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function packApp() {
  say('Bundling the app …');
  await tool('node_modules/electron-vite/bin/electron-vite.js', ['build']);
  say('Packing it …');
  if (hasOption('--windows')) {
    const args = ['--win', 'dir', '--x64', `-c.directories.output=${outputs.windowsTrial}`];
    await electronBuilder(args, { find: electronForWindows, isShown: true });
  } else await packForThisSystem();
}

async function packForThisSystem() {
  const options = { forRelease: hasOption('--release'), isShown: true };
  if (hasOption('--installer')) {
    const { args, env, says: targetsText } = await installerTargets();
    for (const line of targetsText) say(line);
    if (hasOption('--quick')) args.push('-c.deb.compression=gz', '-c.rpm.compression=gzip');
    await listMaterials('desktop', await electronBuilder(args, { ...options, env }));
    copyUpdateFiles(join(root, outputs.shipping));
  } else await listMaterials('desktop', await electronBuilder(['--dir'], options));
  if (hasOption('--for-tests')) {
    say('Making the twin for tests …');
    await tool('scripts/package/twin-for-tests.mjs', []);
  }
}

/** @param {'desktop' | 'command'} part @param {string} [electron] the version of a stand-in */
async function listMaterials(part, electron) {
  const { writeBillOfMaterials } = await import('./package/bill-of-materials.mjs');
  writeBillOfMaterials(part, join(root, outputs.shipping), electron);
}

/** Results of this run, with sizes. */
function results() {
  return Object.values(outputs).flatMap((output) => {
    const folder = join(root, output);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      const { mtimeMs, size } = statSync(path);
      if (mtimeMs < startedAt || entry.name.startsWith('builder-')) return [];
      return [
        entry.isDirectory() ? `${relative(root, path)}/` : `${relative(root, path)}  ${megabytes(size)}`,
      ];
    });
  });
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
