import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectNode, root } from '../setup/packages.mjs';
import { ensureSystem } from '../setup/system.mjs';
import { desktopSession } from './desktop-session.mjs';

const bin = (/** @type {string} */ path) => join(root, 'node_modules', path);
const node = () => projectNode();

/**
 * A step of `npm test`. `command` gives what to run, or the reason why it can't run here.
 * @typedef {{ name: string, command: () => Promise<{ run: string[], env?: Record<string, string> } | { unable: string }>, report?: string }} Step
 */

/** @type {(name: string, ...args: string[]) => Step} */
const tool = (name, ...args) => ({ name, command: async () => ({ run: [node(), ...args] }) });

/** @type {(name: string, ...args: string[]) => Step} */
const vitest = (name, ...args) => {
  const report = join(root, 'test-output', `${name}.json`);
  return {
    ...tool(
      name,
      bin('vitest/vitest.mjs'),
      'run',
      ...args,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ),
    report,
  };
};

/** In this order: what is fast comes first. @type {Step[]} */
export const steps = [
  tool('types: main, scripts, tests', bin('typescript/bin/tsc'), '-p', 'tsconfig.json'),
  tool('types: preload', bin('typescript/bin/tsc'), '-p', 'tsconfig.preload.json'),
  tool(
    'types: renderer',
    bin('svelte-check/bin/svelte-check'),
    '--tsconfig',
    'tsconfig.renderer.json',
    '--fail-on-warnings',
  ),
  tool('lint', bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '.'),
  tool(
    'layering',
    bin('dependency-cruiser/bin/dependency-cruiser.mjs'),
    'main',
    'preload',
    'renderer',
    'scripts',
    'test',
    '--config',
    '.dependency-cruiser.mjs',
  ),
  vitest('unit', 'test/unit'),
  vitest('service', 'test/service'),
  vitest('integration', 'test/integration'),
  vitest('faults', '--config', 'vitest.faults.config.ts'),
  { ...vitest('rgw', '--config', 'vitest.rgw.config.ts'), command: realObjectStore },
  tool('package', join(root, 'scripts', 'package.mjs')),
  { ...vitest('e2e'), command: endToEnd },
];

async function realObjectStore() {
  const lacking = ['S3_ENDPOINT', 'S3_REGION', 'S3_ROLE_ARN', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'].filter(
    (name) => !process.env[name],
  );
  if (lacking.length > 0)
    return { unable: `no real object store is named in the environment (${lacking.join(', ')})` };
  return vitest('rgw', '--config', 'vitest.rgw.config.ts').command();
}

async function endToEnd() {
  const missing = await ensureSystem(['display', 'electron', 'keychain', 'browser']);
  if (missing.length > 0) {
    const lines = missing.map((group) => `${group.name} (${group.missing.join(' ')})`);
    return { unable: `system packages are missing and can’t be installed here: ${lines.join(', ')}` };
  }
  if (!existsSync(join(root, 'dist')))
    return { unable: 'there is no packaged app: run the step "package" first' };
  const report = join(root, 'test-output', 'e2e.json');
  return desktopSession([
    node(),
    bin('vitest/vitest.mjs'),
    'run',
    '--config',
    'vitest.e2e.config.ts',
    '--reporter=verbose',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
}
