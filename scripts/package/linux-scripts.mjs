import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../setup/packages.mjs';
import { ofLibrary } from './builder-library.mjs';

/** Where electron-builder.yml finds what `writeLinuxScripts` has written. */
const folder = join(root, 'out', 'package');

const program = `'/opt/\${sanitizedProductName}/\${executable}'`;
const launcher = `'/opt/\${sanitizedProductName}/resources/bin/\${executable}'`;

/** Earlier versions had the program itself among the alternatives. */
const withoutEarlier = `if type update-alternatives >/dev/null 2>&1; then
    update-alternatives --remove '\${executable}' ${program} >/dev/null 2>&1 || true
fi
`;

/**
 * Writes what deb and rpm run after installation and after removal: electron-builder's own scripts, but that
 * `tilelift` in a shell is the command's launcher rather than the program
 * (docs/decisions/015-command-of-the-desktop.md).
 */
export function writeLinuxScripts() {
  mkdirSync(folder, { recursive: true });
  const templates = join(dirname(ofLibrary.resolve('./package.json')), 'templates', 'linux');
  for (const [name, before] of /** @type {const} */ ([
    ['after-install.tpl', withoutEarlier],
    ['after-remove.tpl', ''],
  ])) {
    const own = readFileSync(join(templates, name), 'utf8');
    if (!own.includes(program)) throw new Error(`electron-builder’s ${name} names the program no more`);
    const changed = own.replaceAll(program, launcher).replace('\n', `\n${before}`);
    writeFileSync(join(folder, name), changed);
  }
}
