import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/packages.mjs';

const always = [
  ...['test/security/', 'test/patterns/', 'test/unit/threat-model.test.ts', 'test/unit/account/'],
  ...['test/unit/desktop/', 'test/unit/inspect/together/', 'test/unit/ipc/', 'test/unit/policy/'],
  ...['test/integration/alerts/', 'test/integration/policy/', 'test/integration/release/'],
  ...['test/integration/socket/', 'test/integration/updates/', 'test/e2e/updates.test.ts'],
];

const text = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');

/**
 * Paths of `npm test -- security`: whole folders, files that docs/security.md names, and files with an ID in
 * a title, which docs/security.md or docs/reference/security-tests.md cites.
 */
export function securityTests() {
  const withIds = readdirSync(join(root, 'test'), { recursive: true })
    .map((file) => `test/${String(file).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && /['"`]S\d+: /.test(text(file)));
  const citedFiles = [...text('docs/security.md').matchAll(/`(test\/[\w/-]+\.test\.ts)`/g)].map(
    ([, file = '']) => file,
  );
  // Tests of test/network need their own network, and run in their own step.
  const files = [...new Set([...withIds, ...citedFiles])].filter((file) => !file.startsWith('test/network/'));
  return [...always, ...files.filter((file) => !always.some((path) => file.startsWith(path)))];
}
