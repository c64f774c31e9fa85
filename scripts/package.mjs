/**
 * `npm run package`: builds and packs the app for this system, unpacked, into `dist/`. With `--installer` also this system's
 * installers, with `--for-tests` also the twin in `dist-test/` that end-to-end tests drive.
 */
import { join } from 'node:path';
import { installerTargets } from './installer/targets.mjs';
import { ensureElectron } from './setup/electron.mjs';
import { ensurePackages, projectEnvironment, projectNode, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';

/** @type {Awaited<ReturnType<typeof installerTargets>>} */
const unpackedOnly = { args: ['--dir'], env: {}, says: [] };

try {
  await ensurePackages();
  const electron = await ensureElectron();
  await step('node_modules/electron-vite/bin/electron-vite.js', ['build']);
  // An Electron that was not downloaded the official way must be named; the official one the packer finds by itself.
  const standIn = electron.official
    ? []
    : [`-c.electronDist=${electron.folder}`, `-c.electronVersion=${electron.version}`];
  const { args, env, says } = process.argv.includes('--installer') ? await installerTargets() : unpackedOnly;
  for (const line of says) say(line);
  await step('node_modules/electron-builder/cli.js', [...args, '--publish', 'never', ...standIn], env);
  if (process.argv.includes('--for-tests')) await step('scripts/package/twin-for-tests.mjs', []);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/**
 * @param {string} entry below the project’s folder
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
async function step(entry, args, env = {}) {
  const { code, output } = await run(projectNode(), [join(root, entry), ...args], {
    cwd: root,
    quiet: true,
    env: projectEnvironment(env),
  });
  if (code !== 0) throw new Error(`${entry} failed:\n${output.slice(-4000)}`);
}
