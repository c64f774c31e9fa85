import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/setup/packages.mjs';

/** Files of packages in a bundle. */
export const bundledFiles = (name: string): readonly string[] =>
  JSON.parse(readFileSync(join(root, 'out', 'bundled', `${name}.json`), 'utf8'));

/** Packages with modules in these bundles that the notices don't name with their version. */
export function unnoticed(notices: string, bundles: readonly string[]): readonly string[] {
  const modules = bundles.flatMap(bundledFiles);
  if (modules.length < 100) throw new Error(`These bundles have ${modules.length} modules of packages`);
  const folders = new Set(modules.map((file) => file.replace(/(.*node_modules\/(@[^/]+\/)?[^/]+).*/, '$1')));
  return [...folders].filter((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return !notices.includes(`\n${name} ${version} (`);
  });
}
