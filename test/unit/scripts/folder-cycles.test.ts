import { expect, it } from 'vitest';
import { folderCycles } from '../../../scripts/test/folder-cycles.mjs';

const imports = (...lines: readonly string[]) => {
  const graph = new Map<string, Map<string, string>>();
  for (const line of lines) {
    const [importer = '', importedFolder = ''] = line.split(' -> ');
    graph.set(
      importer,
      (graph.get(importer) ?? new Map()).set(
        importedFolder,
        `${importer}/x.ts imports ${importedFolder}/y.ts`,
      ),
    );
  }
  return graph;
};

it('folderCycles accepts folders that import downwards only', () =>
  expect(folderCycles(imports('a -> b', 'b -> c', 'a -> c'))).toEqual([]));

it('folderCycles reports a cycle over several folders with an import for each side', () =>
  expect(folderCycles(imports('a -> b', 'b -> c', 'c -> a'))).toEqual([
    'a -> b -> c -> a is a cycle: a/x.ts imports b/y.ts',
    'b -> c -> a -> b is a cycle: b/x.ts imports c/y.ts',
    'c -> a -> b -> c is a cycle: c/x.ts imports a/y.ts',
  ]));
