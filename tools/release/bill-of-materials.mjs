import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup/packages.mjs';
import { run } from '../../scripts/setup/run.mjs';

/** @typedef {{ 'bom-ref': string, name: string, properties: { name: string }[] }} Component */
/** @typedef {{ ref: string, dependsOn: string[] }} Dependency */

/** npm's mark for development-only packages. */
const developmentProperty = 'cdx:npm:package:development';

/**
 * Writes a CycloneDX bill of materials, made by npm from the lock file, into a folder. It lists the bundled
 * packages (docs/decisions/003) and Electron, but no tools.
 * @param {string} folder
 * @returns {Promise<string>} its name
 */
export async function writeBillOfMaterials(folder) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const windows = process.platform === 'win32';
  const { code, output } = await run(
    windows ? 'npm.cmd' : 'npm',
    [
      'sbom',
      '--package-lock-only',
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
      '--loglevel=silent',
    ],
    { cwd: root, quiet: true, shell: windows },
  );
  if (code !== 0) throw new Error(`npm gives no bill of materials:\n${output.slice(-1000)}`);
  const bill = JSON.parse(output);
  // npm names the project after its folder.
  bill.metadata.component.name = name;
  // npm's `--omit=dev` also omits packages that a tool shares with us. Electron ships although it is a
  // development dependency, as electron-builder requires.
  bill.components = bill.components.filter(
    (/** @type {Component} */ { name, properties }) =>
      name === 'electron' || !properties.some((property) => property.name === developmentProperty),
  );
  const kept = new Set(bill.components.map((/** @type {Component} */ component) => component['bom-ref']));
  kept.add(bill.metadata.component['bom-ref']);
  bill.dependencies = bill.dependencies
    .filter((/** @type {Dependency} */ { ref }) => kept.has(ref))
    .map((/** @type {Dependency} */ { ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((needed) => kept.has(needed)),
    }));
  const file = `${name}-${version}.cdx.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(bill, null, 2)}\n`);
  return file;
}
