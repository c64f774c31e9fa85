import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../setup/packages.mjs';
import { ofLibrary } from './builder-library.mjs';

/** Where electron-builder.yml finds what `writeLinuxScripts` has written. */
const folder = join(root, 'out', 'package');

const program = `'/opt/\${sanitizedProductName}/\${executable}'`;
const launcher = `'/opt/\${sanitizedProductName}/resources/bin/\${executable}'`;

/**
 * Writes what deb and rpm run after installation and after removal: electron-builder's own scripts, but that
 * `tilelift` in a shell is the command's launcher rather than the program
 * (docs/decisions/015-command-of-the-desktop.md).
 */
export function writeLinuxScripts() {
  mkdirSync(folder, { recursive: true });
  const templates = join(dirname(ofLibrary.resolve('./package.json')), 'templates', 'linux');
  for (const name of ['after-install.tpl', 'after-remove.tpl']) {
    const own = readFileSync(join(templates, name), 'utf8');
    if (!own.includes(program)) throw new Error(`electron-builder’s ${name} names the program no more`);
    writeFileSync(join(folder, name), own.replaceAll(program, launcher));
  }
}
