import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oldestNode } from '../package/bundle-for-node.mjs';
import { noticesName, writeNotices } from '../package/notices.mjs';
import { projectNode, root } from '../setup/packages.mjs';
import { run } from '../setup/run.mjs';
import { bundleFolder } from './bundle.mjs';
import { nodeLimits } from './node-limits.mjs';

/**
 * @typedef {{ name: string, version: string, description: string, license: string, author: string }} Manifest
 */

/** The project's own package.json. @type {Manifest} */
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const version = project.version;

/** Paths of the completion scripts on a Debian system, by shell. */
const completions = /** @type {const} */ ({
  bash: 'usr/share/bash-completion/completions/tilelift',
  zsh: 'usr/share/zsh/vendor-completions/_tilelift',
  fish: 'usr/share/fish/vendor_completions.d/tilelift.fish',
});

/** Service definitions and monitoring examples (docs/server.md). */
const serviceFiles = join(root, 'build', 'service');

/** Runs before any code that needs a newer Node, so that an older one shows an error. */
const launcher = `#!/usr/bin/env node
const [major] = process.versions.node.split('.');
if (Number(major) < ${oldestNode}) {
  process.stderr.write('tilelift needs Node ${oldestNode} or later; this is ' + process.version + '.\\n');
  process.exit(1);
}
import('../lib/tilelift.js');
`;

/**
 * Recreates a folder with the npm package's content: bundle, launcher, man page, completions.
 * @param {string} folder
 */
export async function stageForNpm(folder) {
  rmSync(folder, { recursive: true, force: true });
  cpSync(bundleFolder, join(folder, 'lib'), { recursive: true });
  const { description, license, author } = project;
  const manifest = {
    ...{ name: 'tilelift-cli', version, description, license, author },
    type: 'module',
    bin: { tilelift: 'bin/tilelift.js' },
    man: ['man/tilelift.1'],
    engines: { node: `>=${oldestNode}` },
    files: ['bin', 'lib', 'man', 'completions', 'service', 'policy', noticesName],
  };
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  write(join(folder, 'bin', 'tilelift.js'), launcher, 0o755);
  cpSync(serviceFiles, join(folder, 'service'), { recursive: true });
  cpSync(join(root, 'docs', 'policy'), join(folder, 'policy'), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeNotices('command', folder);
  write(join(folder, 'README.md'), readmeOf(await say(folder, ['--help'])));
  write(join(folder, 'man', 'tilelift.1'), await say(folder, ['man']));
  for (const shell of [...Object.keys(completions), 'powershell'])
    write(join(folder, 'completions', `tilelift.${shell}`), await say(folder, ['completion', shell]));
}

/**
 * Fills a folder with the deb's content: the npm package's plus a Node.
 * @param {string} npmFolder output of `stageForNpm`
 * @param {string} folder
 */
export function stageForDeb(npmFolder, folder) {
  rmSync(folder, { recursive: true, force: true });
  const home = join(folder, 'usr', 'lib', 'tilelift-cli');
  for (const part of ['bin', 'lib', 'package.json', noticesName])
    cpSync(join(npmFolder, part), join(home, part), { recursive: true });
  cpSync(projectNode(), join(home, 'node'));
  chmodSync(join(home, 'node'), 0o755);
  // Uses the packaged Node, regardless of PATH.
  const limits = Object.entries(nodeLimits).map(([name, value]) => `export ${name}=${value}\n`);
  const start = `#!/bin/sh\n${limits.join('')}exec /usr/lib/tilelift-cli/node /usr/lib/tilelift-cli/bin/tilelift.js "$@"\n`;
  write(join(home, 'tilelift'), start, 0o755);
  const documents = join(folder, 'usr', 'share', 'doc', 'tilelift-cli');
  const noticesHint = `\nSoftware of others: /usr/lib/tilelift-cli/${noticesName}\n`;
  write(join(documents, 'copyright'), readFileSync(join(root, 'LICENSE'), 'utf8') + noticesHint);
  // Installed but disabled.
  const unit = 'tilelift.service';
  cpSync(join(serviceFiles, unit), join(folder, 'usr', 'lib', 'systemd', 'system', unit));
  const filter = (/** @type {string} */ path) => !path.endsWith(unit);
  cpSync(serviceFiles, join(documents, 'examples'), { recursive: true, filter });
  cpSync(join(npmFolder, 'policy'), join(documents, 'policy'), { recursive: true });
  cpSync(join(npmFolder, 'man'), join(folder, 'usr', 'share', 'man', 'man1'), { recursive: true });
  for (const [shell, path] of Object.entries(completions))
    write(join(folder, path), readFileSync(join(npmFolder, 'completions', `tilelift.${shell}`), 'utf8'));
}

/**
 * Output of the staged command, in English.
 * @param {string} folder
 * @param {string[]} args
 */
async function say(folder, args) {
  const { code, output } = await run(projectNode(), [join(folder, 'bin', 'tilelift.js'), ...args], {
    quiet: true,
    env: { ...process.env, LC_ALL: 'C', NODE_OPTIONS: '' },
  });
  if (code !== 0) throw new Error(`tilelift ${args.join(' ')} failed:\n${output}`);
  return output;
}

/** @param {string} help */
function readmeOf(help) {
  return `# tilelift\n\nTilelift without a screen. \`man tilelift\` and \`tilelift COMMAND --help\` say more.\n\n\`\`\`\n${help}\`\`\`\n`;
}

/** @param {string} path @param {string} text @param {number} [mode] */
function write(path, text, mode = 0o644) {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}
