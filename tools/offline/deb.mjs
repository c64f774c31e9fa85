import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/setup/run.mjs';
import { filesBelow, sizeBelow, stage } from './stage.mjs';

/** @typedef {import('./fpm-arguments.mjs').PackageOrder} PackageOrder */

/**
 * Makes a deb with `dpkg-deb`.
 * @param {PackageOrder} order
 * @param {string} work an empty folder that the caller removes
 */
export async function makeDeb(order, work) {
  const folder = join(work, 'deb');
  stage(order.contents, folder);
  const files = filesBelow(folder);
  const sums = files.map((file) => `${md5(join(folder, file))}  ${file}\n`).join('');
  const size = sizeBelow(folder);
  const control = join(folder, 'DEBIAN');
  mkdirSync(control);
  writeFileSync(join(control, 'control'), controlText(order, size));
  writeFileSync(join(control, 'md5sums'), sums);
  for (const [script, name] of [
    [order.afterInstall, 'postinst'],
    [order.afterRemove, 'postrm'],
  ]) {
    copyFileSync(script ?? '', join(control, name ?? ''));
    chmodSync(join(control, name ?? ''), 0o755);
  }
  // Only builds for tests and rehearsals use gz.
  const compression = order.compression === 'gz' ? ['-Zgzip', '-z1'] : [`-Z${order.compression}`];
  const { code, output } = await run(
    'dpkg-deb',
    ['--root-owner-group', ...compression, '--build', folder, order.output],
    { quiet: true, env: { ...process.env, DPKG_DEB_THREADS_MAX: String(availableParallelism()) } },
  );
  if (code !== 0) throw new Error(`dpkg-deb failed:\n${output}`);
}

/**
 * A deb's control file (Debian Policy, chapter 5). Pure.
 * @param {PackageOrder} order
 * @param {number} installedKib
 */
export function controlText(order, installedKib) {
  const [summary = '', ...lines] = order.description.split('\n').map((line) => line.trim());
  const fields = [
    ['Package', order.name],
    ['Version', order.version],
    ['License', order.license],
    ['Vendor', order.vendor],
    ['Architecture', order.architecture],
    ['Maintainer', order.maintainer],
    ['Installed-Size', String(installedKib)],
    ['Depends', order.depends.join(', ')],
    ['Recommends', order.recommends.join(', ')],
    ['Section', order.category],
    ['Priority', order.priority],
    ['Homepage', order.url],
    // "Those containing a single space followed by a full stop … are rendered as blank lines."
    ['Description', [summary, ...lines.map((line) => ` ${line || '.'}`)].join('\n')],
  ];
  return fields.flatMap(([name, value]) => (value ? [`${name}: ${value}\n`] : [])).join('');
}

/** @param {string} file */
const md5 = (file) => createHash('md5').update(readFileSync(file)).digest('hex');
