import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies?: Readonly<Record<string, string>>;
  };
const dependencies = Object.keys(manifestOf('.').dependencies ?? {});

/** An import, a re-export or a dynamic import in TypeScript or Svelte, or an import in CSS. */
const imports =
  /(?:^|[\n;}])\s*(?:import|export)\s(?!type\s)(?:[^'";]*\sfrom\s*)?'([^'.\n][^'\n]*)'|(?:\bimport\(\s*|\bimport\.meta\.resolve\(\s*|@import )'([^'.\n][^'\n]*)'/g;

/** The packages that the bundled sources import, except types, Node's and virtual modules, and Electron. */
function importedPackages(): ReadonlySet<string> {
  const texts = ['main', 'preload', 'renderer', 'shared', 'strings'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|svelte|css)$/.test(path))
      .map((path) => readFileSync(join(root, folder, path), 'utf8')),
  );
  const specifiers = texts.flatMap((text) =>
    [...text.matchAll(imports)].map(([, statement, call]) => statement ?? call ?? ''),
  );
  const packages = specifiers.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '');
  return new Set(packages.filter((name) => !/^(?:node|virtual):/.test(name) && name !== 'electron'));
}

it('the dependencies in package.json list every bundled package for audits and the bill of materials', () => {
  expect([...importedPackages()].filter((name) => !dependencies.includes(name))).toEqual([]);
});

it('the dependencies in package.json list nothing else except peer dependencies', () => {
  const expected = new Set(
    dependencies.flatMap((name) =>
      Object.keys(manifestOf(join('node_modules', name)).peerDependencies ?? {}),
    ),
  );
  const packages = importedPackages();
  expect(dependencies.filter((name) => !packages.has(name) && !expected.has(name))).toEqual([]);
});
