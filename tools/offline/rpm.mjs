import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from '../../scripts/package/stage.mjs';
import { run } from '../../scripts/setup/run.mjs';

/** @typedef {import('./fpm-arguments.mjs').PackageOrder} PackageOrder */

/**
 * Makes an rpm with `rpmbuild`.
 * @param {PackageOrder} order
 * @param {string} work a folder that the caller removes
 * @param {string} folder the content as it will be below `/`
 * @param {{ post: string, postun: string }} scripts
 */
export async function makeRpm(order, work, folder, scripts) {
  const spec = join(work, 'package.spec');
  writeFileSync(spec, specText(order, filesBelow(folder), scripts));
  const rpmFile = `${order.name}.rpm`;
  const settings = {
    _topdir: join(work, 'build'),
    _rpmdir: work,
    _rpmfilename: rpmFile,
    _dbpath: join(work, 'db'),
  };
  const { code, output } = await run(
    'rpmbuild',
    [
      ...[
        '-bb',
        '--quiet',
        '--noclean',
        '--target',
        architectures[order.architecture] ?? order.architecture,
        '--buildroot',
        folder,
      ],
      ...Object.entries(settings).flatMap(([name, value]) => ['--define', `${name} ${value}`]),
      spec,
    ],
    { quiet: true },
  );
  if (code !== 0) throw new Error(`rpmbuild failed:\n${output}`);
  // Copies to the target folder first, because it may be on another drive.
  await run('cp', [join(work, rpmFile), join(dirname(order.output), `.${rpmFile}.part`)]);
  renameSync(join(dirname(order.output), `.${rpmFile}.part`), order.output);
}

/**
 * The spec file. Disables the build steps of Debian's and Fedora's rpm settings (strip, compress, find
 * dependencies), so that files are packed unchanged. Pure.
 * @param {PackageOrder} order
 * @param {readonly string[]} files relative to `/`
 * @param {{ post: string, postun: string }} scripts
 */
export function specText(order, files, scripts) {
  const fields = [
    ['Name', order.name],
    ['Version', order.version],
    ['Release', '1'],
    ['Summary', order.summary || order.description.split('\n')[0]],
    ['License', order.license],
    ['Vendor', order.vendor],
    ['URL', order.url],
    ['Packager', order.maintainer],
    ['Group', order.category],
    ['AutoReqProv', 'no'],
    ...order.depends.map((dependency) => ['Requires', dependency]),
  ];
  return [
    '%define __os_install_post %{nil}',
    '%define _build_id_links none',
    `%define _binary_payload ${payloads[order.compression] ?? payloads.xzmt}`,
    ...fields.flatMap(([name, value]) => (value ? [`${name}: ${escapePercent(value)}`] : [])),
    '%description',
    escapePercent(order.description),
    '%post -p /bin/bash',
    escapePercent(scripts.post),
    // During an update the new version is already installed and keeps its setup.
    '%postun -p /bin/bash',
    'if [ "$1" -eq 0 ]; then',
    escapePercent(scripts.postun),
    'fi',
    '%files',
    '%defattr(-,root,root,-)',
    ...ownFolders(files).map((folder) => `%dir "/${escapePercent(folder)}"`),
    ...files.map((file) => `"/${escapePercent(file)}"`),
    '',
  ].join('\n');
}

/** Translates electron-builder's Debian names, as fpm would. @type {Record<string, string>} */
const architectures = { amd64: 'x86_64', arm64: 'aarch64' };

/** @type {Record<string, string>} */
const payloads = { xz: 'w6.xzdio', xzmt: 'w6T0.xzdio', gzip: 'w1.gzdio', zst: 'w19.zstdio' };

/** The package's own folders, without the system's. @param {readonly string[]} files */
function ownFolders(files) {
  const folders = new Set();
  for (const file of files)
    for (let folder = dirname(file); folder.split('/').length >= 2; folder = dirname(folder))
      if (folder.startsWith('opt/')) folders.add(folder);
  return [...folders].sort();
}

/** Escapes percent signs, which begin macros. @param {string} text */
const escapePercent = (text) => text.replaceAll('%', '%%');
