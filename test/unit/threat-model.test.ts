import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

const named = [...evidence.matchAll(/`(test\/[\w./-]+\.test\.ts)`: `([^`]+)`/g)].map(
  ([, file = '', title = '']) => [file, title] as const,
);

describe('the threat model', () => {
  it('has a row for each point', () => {
    expect([...new Set(boundaries.map(([point]) => Number(point)))]).toEqual(
      Array.from({ length: 23 }, (_, index) => index + 1),
    );
  });

  it('names tests for each row', () => {
    expect(boundaries.filter((cells) => cells.length !== 4)).toEqual([]);
    expect(testRows.map((cells) => cells.slice(0, 2))).toEqual(boundaries.map((cells) => cells.slice(0, 2)));
    expect(testRows.filter(([, , tests = '']) => !tests.includes('`test/'))).toEqual([]);
  });

  it.each(named)('names an existing test in %s: %s', (file, title) => {
    expect(existsSync(join(root, file))).toBe(true);
    const source = readFileSync(join(root, file), 'utf8');
    // A continued title is named by its beginning.
    expect(
      source.includes(`'${title}`) || source.includes(`"${title}`) || source.includes(`\`${title}`),
    ).toBe(true);
  });

  it('names only tests of the security step', () => {
    const left = named.filter(([file]) => !securityTests.some((path) => file.startsWith(path)));
    expect(left).toEqual([]);
    // Vitest ignores missing paths.
    expect(securityTests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('links to existing files', () => {
    for (const [, path = ''] of model.matchAll(/\]\(([\w./-]+)\)/g))
      expect(existsSync(join(root, 'docs', path))).toBe(true);
  });
});
