import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { electronBuilder, tool } from '../package/builder.mjs';
import { outputs } from '../package/unpacked-app.mjs';
import { root } from '../setup/packages.mjs';
import { run } from '../setup/run.mjs';
import { say } from '../setup/say.mjs';
import { installerTargets } from './targets.mjs';

const output = join(root, outputs.shipping);
const unpacked = join(output, 'linux-unpacked');

/** The deb of the shipping build, if it exists. */
export function builtDeb() {
  const name = existsSync(output) && readdirSync(output).find((file) => /^tilelift_.*\.deb$/.test(file));
  return name ? join(output, name) : undefined;
}

/** Reason why a test can't install and remove the package here, or undefined. */
export async function whyNotInstallable() {
  if (process.platform !== 'linux') return 'the package is for Debian and its relatives';
  if (process.getuid?.() !== 0) return 'only root can install a package';
  if (!existsSync('/usr/bin/apt-get')) return 'there is no apt-get';
  const { output: state } = await run('dpkg-query', ['--status', 'tilelift'], { quiet: true });
  return state.includes('ok installed')
    ? 'a Tilelift is installed here already and would be removed; apt-get purge tilelift makes way'
    : undefined;
}

/**
 * Makes the deb from the unpacked shipping build unless it is up to date; packs the build first if missing.
 */
export async function ensureDeb() {
  if (!existsSync(unpacked)) await tool('scripts/package.mjs', []);
  const packedAt = statSync(join(unpacked, 'resources', 'app.asar')).mtimeMs;
  const builtFile = builtDeb();
  if (builtFile && statSync(builtFile).mtimeMs > packedAt) return;
  const { env, says: targetsText } = await installerTargets();
  for (const line of targetsText) say(line);
  // The installers' compression would take minutes; content and installation are the same.
  const compression = '-c.deb.compression=gz';
  await electronBuilder(['--linux', 'deb', '--prepackaged', unpacked, compression], { env });
}
