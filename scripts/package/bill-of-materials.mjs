import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/packages.mjs';
import { bundledPackages } from './notices.mjs';

/** @typedef {{ version: string, resolved?: string, integrity?: string }} Locked */

/** @param {string} name @param {string} version */
const npmAddress = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Integrity in the lock file, as CycloneDX writes it. @param {string | undefined} integrity */
function hashesOf(integrity) {
  const [, alg, content] = /^(sha\d+)-(.+)$/.exec(integrity ?? '') ?? [];
  if (!alg || !content) return {};
  return {
    hashes: [{ alg: alg.replace('sha', 'SHA-'), content: Buffer.from(content, 'base64').toString('hex') }],
  };
}

/**
 * Writes a CycloneDX bill of materials into a folder: the packages in a part's bundles, what runs them, and
 * the data in them. The same on every system.
 * @param {import('./notices.mjs').Part} part
 * @param {string} folder
 * @param {string} [electron] the packed version; default: the lock file's
 * @returns {string} its name
 */
export function writeBillOfMaterials(part, folder, electron) {
  const { name: project, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {Record<string, Locked>} */
  const lockedPackages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const name = part === 'command' ? `${project}-cli` : project;
  const runs = part === 'command' ? 'node' : 'electron';
  const runtime = npmAddress(
    runs,
    (part === 'desktop' && electron) || (lockedPackages[`node_modules/${runs}`]?.version ?? ''),
  );
  const components = [
    ...bundledPackages(part).map((component) => ({
      ...{
        type: 'library',
        'bom-ref': npmAddress(component.name, component.version),
        name: component.name,
        version: component.version,
      },
      ...{
        purl: npmAddress(component.name, component.version),
        licenses: [{ license: { id: component.licence } }],
      },
      ...hashesOf(lockedPackages[component.folder]?.integrity),
    })),
    {
      ...{ type: 'framework', 'bom-ref': runtime, name: runs, version: runtime.split('@')[1] },
      ...{ purl: runtime, licenses: [{ license: { id: 'MIT' } }] },
    },
    { type: 'data', 'bom-ref': 'epsg', name: 'EPSG Geodetic Parameter Dataset', version: '10.076' },
  ];
  const bill = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 },
    metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
    components,
    dependencies: [{ ref: name, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  const file = `${name}-${version}.cdx.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(bill, null, 2)}\n`);
  return file;
}
