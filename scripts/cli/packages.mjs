import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireLibrary } from '../package/builder-library.mjs';
import { makeDeb } from '../package/deb.mjs';
import { outputs } from '../package/unpacked-app.mjs';
import { root } from '../setup/packages.mjs';
import { run } from '../setup/run.mjs';
import { say } from '../setup/say.mjs';
import { bundleCommand } from './bundle.mjs';
import { stageForDeb, stageForNpm, version } from './stage.mjs';

const output = join(root, outputs.shipping);

/** Output of `npm run package -- --cli`, absolute. */
export const tarball = join(output, `tilelift-cli-${version}.tgz`);

/** Debian's name of this processor architecture; undefined if there is no deb for it. */
const architecture = new Map([
  ['x64', 'amd64'],
  ['arm64', 'arm64'],
]).get(process.arch);
export const deb = join(output, `tilelift-cli_${version}_${architecture}.deb`);

/**
 * Bundles the command and makes its npm package and, if `dpkg-deb` exists, a deb. Returns omissions with
 * reasons.
 * @param {{ quick?: boolean }} [options] `quick`: weaker compression of the deb, same content
 * @returns {Promise<string[]>}
 */
export async function packageCommand({ quick: isQuick = false } = {}) {
  mkdirSync(output, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'tilelift-cli-package-'));
  try {
    say('Bundling the command …');
    await bundleCommand();
    say('Packing it for npm …');
    const npmFolder = join(work, 'npm');
    await stageForNpm(npmFolder);
    await carryOut(
      process.platform === 'win32' ? 'npm.cmd' : 'npm',
      ['pack', '--silent', '--pack-destination', output],
      npmFolder,
    );
    const problem = await debOf(npmFolder, join(work, 'deb'), isQuick);
    return problem === null ? [] : [`The deb of the command is left out: ${problem}.`];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {string} npmFolder
 * @param {string} folder
 * @param {boolean} isQuick
 * @returns {Promise<string | null>} why it can't be made here
 */
async function debOf(npmFolder, folder, isQuick) {
  if (process.platform !== 'linux' || architecture === undefined) return 'it is made on Linux';
  const { code } = await run('dpkg-deb', ['--version'], { quiet: true });
  if (code !== 0) return 'there is no dpkg-deb';
  say('Packing it for Debian …');
  stageForDeb(npmFolder, folder);
  await makeDeb({ ...fields, output: deb, compression: isQuick ? 'gz' : 'xz' }, folder, scripts);
  return null;
}

/** The same as the desktop's. */
const { maintainer } = requireLibrary('js-yaml').load(
  readFileSync(join(root, 'electron-builder.yml'), 'utf8'),
).linux;

const fields = {
  ...{ name: 'tilelift-cli', version, architecture: architecture ?? '', maintainer },
  ...{ license: 'MIT', vendor: '', url: '', category: 'science', priority: 'optional' },
  depends: ['libc6 (>= 2.28)', 'libstdc++6 (>= 8)', 'libgcc-s1 | libgcc1'],
  // Node ships its own authorities; this adds those of the office.
  recommends: ['ca-certificates'],
  description:
    'Tilelift without a screen\nFrom a folder of imagery, terrain, buildings or point clouds to a tiled asset,\non the command line and as a service. Brings its own Node.',
};

/**
 * The desktop's package also has a `tilelift` alternative (priority 100). The command wins in a shell; the
 * desktop's menu entry names its program by path.
 */
const scripts = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  update-alternatives --install /usr/bin/tilelift tilelift /usr/lib/tilelift-cli/tilelift 200
  if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = deconfigure ]; then
  if [ -d /run/systemd/system ]; then systemctl --no-reload disable --now tilelift.service || true; fi
  update-alternatives --remove tilelift /usr/lib/tilelift-cli/tilelift
fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
`,
};

/** @param {string} command @param {string[]} args @param {string} cwd */
async function carryOut(command, args, cwd) {
  const shell = process.platform === 'win32';
  const { code, output: message } = await run(command, args, { cwd, quiet: true, shell });
  if (code !== 0) throw new Error(`${command} failed:\n${message.slice(-2000)}`);
}
