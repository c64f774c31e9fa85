import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Paths in CONTRIBUTING's layout from the root: `main/`, `main/app.ts`, `test/unit/`. */
function namedPaths(): readonly string[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const tree = /^## Layout\n+```\n(.*?)^```$/ms.exec(text)?.[1] ?? '';
  let previousLine = '';
  return tree.split('\n').flatMap((line) => {
    const [, indent, names] = /^( {0,2})(\S+(?: \S+)*)(?: {2,}|$)/.exec(line) ?? [];
    if (names === undefined) return [];
    if (indent === '') previousLine = names;
    return names.split(' ').map((name) => (indent === '' ? name : previousLine + name));
  });
}

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}${name}/`);

/** A folder and all its subfolders. */
const allIn = (folder: string): readonly string[] => [folder, ...foldersIn(folder).flatMap(allIn)];

const modules = 'main preload renderer shared strings gallery scripts tools test'
  .split(' ')
  .map((name) => `${name}/`);

it('the layout in CONTRIBUTING names only existing paths', () => {
  expect(namedPaths().length).toBeGreaterThan(40);
  expect(namedPaths().filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('the layout in CONTRIBUTING names every module of main/, renderer/ and test/', () => {
  const rooms = ['main/', 'renderer/', 'test/'].flatMap((folder) => [folder, ...foldersIn(folder)]);
  expect(rooms.filter((room) => !namedPaths().includes(room))).toEqual([]);
});

describe('docs/architecture.md', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

  it('docs/architecture.md names only existing files and folders', () => {
    const paths = text.match(/(?<=`)(?:main|preload|renderer)\/[\w/.-]*(?=`)/g) ?? [];
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('a document', () => {
  it.each(readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')))(
    'docs/%s has at most 150 lines (architecture.md: 100)',
    (name) => {
      const lines = readFileSync(join(root, 'docs', name), 'utf8')
        .trimEnd()
        .split('\n');
      expect(lines.length).toBeLessThanOrEqual(name === 'architecture.md' ? 100 : 150);
    },
  );
});

describe('a comment', () => {
  const maxColumns = 110;
  /** Checkers need their comments on one line. */
  const isForCheckers = (text: string) => /^(?:biome|svelte)-ignore /.test(text);

  /** Comment lines that should wrap; a lone address may be longer. */
  function tooLong(path: string): readonly string[] {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    return lines.flatMap((line, index) => {
      const [, text] = /^\s*(?:\/\/|\/?\*+|<!--) (.*)$/.exec(line) ?? [];
      if (text === undefined || line.length <= maxColumns || isForCheckers(text)) return [];
      return text.includes(' ') ? [`${path}:${index + 1}`] : [];
    });
  }

  it.each(modules)(`a comment in %s wraps at ${maxColumns} columns`, (room) => {
    const files = allIn(room).flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:ts|mjs|svelte|css)$/.test(entry.name))
        .map(({ name }) => folder + name),
    );
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(tooLong)).toEqual([]);
  });
});
