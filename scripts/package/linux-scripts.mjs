import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../setup/packages.mjs';
import { requireLibrary } from './builder-library.mjs';

const folder = join(root, 'out', 'package');

const program = `'/opt/\${sanitizedProductName}/\${executable}'`;
const launcher = `'/opt/\${sanitizedProductName}/resources/bin/\${executable}'`;

/**
 * Writes the scripts that deb and rpm run after installation and removal: electron-builder's own, except that
 * `tilelift` in a shell starts the command's launcher (docs/decisions/015-command-of-the-desktop.md).
 */
export function writeLinuxScripts() {
  mkdirSync(folder, { recursive: true });
  const templates = join(dirname(requireLibrary.resolve('./package.json')), 'templates', 'linux');
  for (const name of ['after-install.tpl', 'after-remove.tpl']) {
    const ownScript = readFileSync(join(templates, name), 'utf8');
    if (!ownScript.includes(program)) throw new Error(`electron-builder’s ${name} names the program no more`);
    writeFileSync(join(folder, name), ownScript.replaceAll(program, launcher));
  }
}
