/** `npm run package`: builds and packs the app for this system, unpacked, into `dist/`. */
import { ensureElectron } from './setup/electron.mjs';
import { ensurePackages, projectEnvironment, projectNode, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';

try {
  await ensurePackages();
  const electron = await ensureElectron();
  await step('electron-vite', ['build']);
  // An Electron that was not downloaded the official way must be named; the official one the packer finds by itself.
  const standIn = electron.official
    ? []
    : [`-c.electronDist=${electron.folder}`, `-c.electronVersion=${electron.version}`];
  await step('electron-builder', ['--dir', '--publish', 'never', ...standIn]);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/**
 * @param {'electron-vite' | 'electron-builder'} tool
 * @param {string[]} args
 */
async function step(tool, args) {
  const entry = {
    'electron-vite': 'electron-vite/bin/electron-vite.js',
    'electron-builder': 'electron-builder/cli.js',
  }[tool];
  const { code, output } = await run(projectNode(), [`${root}/node_modules/${entry}`, ...args], {
    cwd: root,
    quiet: true,
    env: projectEnvironment(),
  });
  if (code !== 0) throw new Error(`${tool} failed:\n${output.slice(-4000)}`);
}
