import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup/packages.mjs';
import { run } from '../../scripts/setup/run.mjs';

/**
 * Writes the bill of materials into a folder: CycloneDX, by npm, of the lock file. What the app is bundled of
 * stands among the devDependencies (docs/decisions/003), so that none is left out.
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
  // npm calls the project after the folder that it is in.
  bill.metadata.component.name = name;
  const file = `${name}-${version}.cdx.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(bill, null, 2)}\n`);
  return file;
}
