/**
 * `npm run package`: builds and packs the app for this system, unpacked, into `dist/`.
 * - `--installer` also makes this system's installers.
 * - `--for-tests` also makes the twin in `dist-test/` for end-to-end tests.
 * - `--release` rejects a stand-in for Electron (docs/decisions/002-electron-without-download.md).
 * - `--windows` packs for 64-bit Windows on any system, unpacked, into `dist-win/`: for inspection only.
 * - `--cli` only makes the packages of the command `tilelift`.
 */
import { installerTargets } from './installer/targets.mjs';
import { electronBuilder, tool } from './package/builder.mjs';
import { outputs } from './package/unpacked-app.mjs';
import { electronForWindows } from './setup/electron.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { say } from './setup/say.mjs';

const wants = (/** @type {string} */ option) => process.argv.includes(option);

try {
  await ensurePackages();
  if (wants('--cli')) {
    const { packageCommand } = await import('./cli/packages.mjs');
    for (const line of await packageCommand()) say(line);
  } else await packApp();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function packApp() {
  await tool('node_modules/electron-vite/bin/electron-vite.js', ['build']);
  if (wants('--windows')) {
    const args = ['--win', 'dir', '--x64', `-c.directories.output=${outputs.windowsTrial}`];
    await electronBuilder(args, { find: electronForWindows });
  } else await packForThisSystem();
}

async function packForThisSystem() {
  const forRelease = wants('--release');
  if (wants('--installer')) {
    const { args, env, says } = await installerTargets();
    for (const line of says) say(line);
    await electronBuilder(args, { env, forRelease });
  } else await electronBuilder(['--dir'], { forRelease });
  if (wants('--for-tests')) await tool('scripts/package/twin-for-tests.mjs', []);
}
