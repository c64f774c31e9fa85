import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ofLibrary } from '../package/builder-library.mjs';
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

const depends = ['libc6 (>= 2.28)', 'libstdc++6 (>= 8)', 'libgcc-s1 | libgcc1'];

/**
 * Bundles the command and makes its npm package and, if `dpkg-deb` exists, a deb. Returns omissions with
 * reasons.
 * @param {{ quick?: boolean }} [options] `quick`: weaker compression of the deb, same content
 * @returns {Promise<string[]>}
 */
export async function packageCommand({ quick = false } = {}) {
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
    const lacks = await makeDeb(npmFolder, join(work, 'deb'), quick);
    return lacks === null ? [] : [`The deb of the command is left out: ${lacks}.`];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {string} npmFolder
 * @param {string} folder
 * @param {boolean} quick
 * @returns {Promise<string | null>} why it can't be made here
 */
async function makeDeb(npmFolder, folder, quick) {
  if (process.platform !== 'linux' || architecture === undefined) return 'it is made on Linux';
  const { code } = await run('dpkg-deb', ['--version'], { quiet: true });
  if (code !== 0) return 'there is no dpkg-deb';
  say('Packing it for Debian …');
  stageForDeb(npmFolder, folder);
  const control = join(folder, 'DEBIAN');
  mkdirSync(control, { mode: 0o755 });
  writeFileSync(join(control, 'control'), controlText(Math.ceil(sizeOf(folder) / 1024)));
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(control, name), text);
    chmodSync(join(control, name), 0o755);
  }
  const compression = quick ? ['-Zgzip', '-z1'] : ['-Zxz', `--threads-max=${availableParallelism()}`];
  await carryOut('dpkg-deb', ['--root-owner-group', ...compression, '--build', folder, deb], root);
  return null;
}

/** The same as the desktop's. */
const { maintainer } = ofLibrary('js-yaml').load(
  readFileSync(join(root, 'electron-builder.yml'), 'utf8'),
).linux;

/** A deb's control file (Debian Policy, chapter 5). @param {number} installedKib */
function controlText(installedKib) {
  const fields = [
    ['Package', 'tilelift-cli'],
    ['Version', version],
    ['Architecture', architecture],
    ['Maintainer', maintainer],
    ['Installed-Size', installedKib],
    ['Depends', depends.join(', ')],
    // Node ships its own authorities; this adds those of the office.
    ['Recommends', 'ca-certificates'],
    ['Section', 'science'],
    ['Priority', 'optional'],
    [
      'Description',
      'Tilelift without a screen\n From a folder of imagery, terrain, buildings or point clouds to a tiled asset,\n on the command line and as a service. Brings its own Node.',
    ],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`;
}

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

/** Total size of all files below a folder, bytes. @param {string} folder @returns {number} */
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size);
  }, 0);
}

/** @param {string} command @param {string[]} args @param {string} cwd */
async function carryOut(command, args, cwd) {
  const shell = process.platform === 'win32';
  const { code, output: said } = await run(command, args, { cwd, quiet: true, shell });
  if (code !== 0) throw new Error(`${command} failed:\n${said.slice(-2000)}`);
}
