import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkPatterns } from '../../../../main/files/left-out/check-patterns.ts';
import { createPathFits, lineFor } from '../../../../main/files/left-out/path-patterns.ts';

it('gitignore patterns match names at any depth, anchored paths in place, and folders with their content', () => {
  const pathFits = createPathFits(['*.bak', '/raw/*.tif', 'old/']);
  expect(pathFits('deep/er/a.BAK', false)).toBe(true);
  expect(pathFits('raw/a.tif', false)).toBe(true);
  expect(pathFits('deep/raw/a.tif', false)).toBe(false);
  expect(pathFits('deep/old', true)).toBe(true);
  expect(pathFits('deep/old', false)).toBe(false);
  expect(pathFits('deep/old/a.tif', false)).toBe(true);
});

it('gitignore patterns let later lines override earlier ones', () => {
  const pathFits = createPathFits(['*.tif', '!keep.tif']);
  expect(pathFits('a.tif', false)).toBe(true);
  expect(pathFits('keep.tif', false)).toBe(false);
});

it('gitignore patterns compare composed names', () => {
  expect(createPathFits(['U\u0308ber/'])('\u00dcber', true)).toBe(true);
});

it('gitignore patterns never throw for any path', () => {
  const pathFits = createPathFits(['*.tif']);
  for (const path of ['', '.', '..', '../a.tif', '/a.tif', './a.tif']) {
    expect(() => pathFits(path, false)).not.toThrow();
  }
});

it('a pattern for one path matches the path and its content for any characters', () => {
  const name = fc
    .string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(...'ab*?[]!# \\.^$(){}|+é-'.split('')) })
    .filter((text) => text !== '.' && text !== '..');
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), name, (names, otherName) => {
      const path = names.join('/');
      expect(createPathFits([lineFor(path, false)])(path, false)).toBe(true);
      expect(createPathFits([lineFor(path, true)])(`${path}/inside`, false)).toBe(true);
      expect(createPathFits([lineFor(path, true)])(path, false)).toBe(false);
      const otherPath = [...names.slice(0, -1), otherName].join('/');
      if (otherPath.toLowerCase() !== path.toLowerCase()) {
        expect(createPathFits([lineFor(path, false)])(otherPath, false)).toBe(false);
      }
    }),
  );
});

it.each(['*.tif', 'scans/*.tif', '/a', '!b', 'dir/', '**/x', '[ab]*', '# note', '', '\\#a', 'a\\ ', 'ü.laz'])(
  'checkPatterns() accepts %j',
  (line) => {
    expect(() => checkPatterns([line], 'ignore')).not.toThrow();
  },
);

it.each([
  ['many folders at any depth', `${'**/'.repeat(4)}a`],
  ['many stars in a name', '*a'.repeat(7)],
  ['many letters', 'a'.repeat(301)],
])('checkPatterns() refuses patterns that are slow to compare: %s', (_, line) => {
  expect(() => checkPatterns([line], 'ignore')).toThrow(
    expect.objectContaining({ code: 'watch-pattern-invalid' }),
  );
});

it.each(['../a', './a', 'a/../b', 'scans\\raw', 'C:\\scans', 'a\\', '[ab', '!', '/', 'a\nb'])(
  'checkPatterns() refuses %j and names it',
  (line) => {
    expect(() => checkPatterns(['*.tif', line], 'ignore')).toThrow(
      expect.objectContaining({ code: 'watch-pattern-invalid', message: expect.stringContaining(line) }),
    );
  },
);
