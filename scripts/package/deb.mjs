import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from '../setup/run.mjs';
import { filesBelow, sizeBelow } from './stage.mjs';

/**
 * Fields of a deb's control file; empty ones are omitted.
 * @typedef {Record<'name' | 'version' | 'license' | 'vendor' | 'architecture' | 'maintainer', string> &
 *   Record<'category' | 'priority' | 'url' | 'description', string> &
 *   Record<'depends' | 'recommends', readonly string[]>} DebFields
 */

/**
 * Makes a deb with `dpkg-deb` on all cores.
 * @param {DebFields & { output: string, compression: string }} order `compression`: `gz` is fast and weak
 * @param {string} folder the content as it will be below `/`; gets the control files
 * @param {Record<string, string>} scripts by name, such as `postinst`
 */
export async function makeDeb(order, folder, scripts) {
  const sums = filesBelow(folder).map((file) => `${md5(join(folder, file))}  ${file}\n`);
  const control = { control: controlText(order, sizeBelow(folder)), md5sums: sums.join('') };
  mkdirSync(join(folder, 'DEBIAN'));
  chmodSync(join(folder, 'DEBIAN'), 0o755);
  for (const [name, text] of Object.entries({ ...control, ...scripts })) {
    writeFileSync(join(folder, 'DEBIAN', name), text);
    chmodSync(join(folder, 'DEBIAN', name), name in scripts ? 0o755 : 0o644);
  }
  const compression = order.compression === 'gz' ? ['-Zgzip', '-z1'] : [`-Z${order.compression}`];
  const threads = `--threads-max=${availableParallelism()}`;
  const args = ['--root-owner-group', ...compression, threads, '--build', folder, order.output];
  const { code, output } = await run('dpkg-deb', args, { quiet: true });
  if (code !== 0) throw new Error(`dpkg-deb failed:\n${output}`);
}

/**
 * A deb's control file (Debian Policy, chapter 5). Pure.
 * @param {DebFields} order
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
