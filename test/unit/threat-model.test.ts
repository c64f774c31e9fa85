import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { securityTests } from '../../scripts/test/security-tests.mjs';

const root = join(import.meta.dirname, '..', '..');
const model = readFileSync(join(root, 'docs', 'threat-model.md'), 'utf8');
const evidence = readFileSync(join(root, 'docs', 'reference', 'security-tests.md'), 'utf8');

const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\||\|$/g, '').trim()));

/** Point, boundary, trusted, checked. */
const boundaries = rowsOf(model);
/** Point, boundary, tests. */
const testRows = rowsOf(evidence);

it('the threat model has a row for each point', () => {
  expect([...new Set(boundaries.map(([point]) => Number(point)))]).toEqual(
    Array.from({ length: 23 }, (_, index) => index + 1),
  );
});

it('the threat model names tests for each row', () => {
  expect(boundaries.filter((cells) => cells.length !== 4)).toEqual([]);
  expect(testRows.map((cells) => cells.slice(0, 2))).toEqual(boundaries.map((cells) => cells.slice(0, 2)));
  expect(testRows.filter(([, , tests = '']) => !/^S\d+/.test(tests))).toEqual([]);
});

it('the threat model runs only existing paths in the security step, because Vitest ignores others', () => {
  const paths = securityTests();
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(paths).toContain('test/security/');
  expect(paths.length).toBeGreaterThan(40);
});

it('the threat model links to existing files', () => {
  for (const [, path = ''] of model.matchAll(/\]\(([\w./-]+)\)/g))
    expect(existsSync(join(root, 'docs', path))).toBe(true);
});
