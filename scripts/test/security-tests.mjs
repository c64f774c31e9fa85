import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/packages.mjs';

const always = [
  ...['test/security/', 'test/patterns/', 'test/unit/threat-model.test.ts', 'test/unit/account/'],
  ...['test/unit/desktop/', 'test/unit/inspect/together/', 'test/unit/ipc/', 'test/unit/policy/'],
  ...['test/integration/alerts/', 'test/integration/policy/', 'test/integration/release/'],
  ...['test/integration/socket/', 'test/integration/updates/', 'test/e2e/updates.test.ts'],
];

const text = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');

/** Their titles begin with an ID that docs/security.md or docs/reference/security-tests.md cites. */
const withIds = readdirSync(join(root, 'test'), { recursive: true })
  .map((file) => `test/${String(file).replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.test.ts') && /['"`]S\d+: /.test(text(file)));

// A release contains no documents.
const document = existsSync(join(root, 'docs/security.md')) ? text('docs/security.md') : '';
const inSecurity = [...document.matchAll(/`(test\/[\w/-]+\.test\.ts)`/g)].map(([, file = '']) => file);

// Tests of test/network need their own network, and run in their own step.
const files = [...new Set([...withIds, ...inSecurity])].filter((file) => !file.startsWith('test/network/'));

/** Paths of `npm test -- security`. docs/security.md and docs/reference/security-tests.md cite them. */
export const securityTests = [
  ...always,
  ...files.filter((file) => !always.some((path) => file.startsWith(path))),
];
