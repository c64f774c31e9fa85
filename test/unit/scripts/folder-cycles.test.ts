import { describe, expect, it } from 'vitest';
import { cycleProblems } from '../../../scripts/test/folder-cycles.mjs';

const imports = (...lines: readonly string[]) => {
  const graph = new Map<string, Map<string, string>>();
  for (const line of lines) {
    const [from = '', to = ''] = line.split(' -> ');
    graph.set(from, (graph.get(from) ?? new Map()).set(to, `${from}/x.ts imports ${to}/y.ts`));
  }
  return graph;
};

describe('cycleProblems', () => {
  it('accepts folders that import downwards only', () =>
    expect(cycleProblems(imports('a -> b', 'b -> c', 'a -> c'), [])).toEqual([]));

  it('reports a cycle over several folders with an import for each side', () =>
    expect(cycleProblems(imports('a -> b', 'b -> c', 'c -> a'), [])).toEqual([
      'a -> b -> c -> a is a cycle: a/x.ts imports b/y.ts',
      'b -> c -> a -> b is a cycle: b/x.ts imports c/y.ts',
      'c -> a -> b -> c is a cycle: c/x.ts imports a/y.ts',
    ]));

  it('accepts a known cycle and reports another one', () => {
    const graph = imports('a -> b', 'b -> a', 'b -> c', 'c -> b');
    const problems = cycleProblems(graph, ['b -> a']);
    expect(problems.map((line) => line.split(' is')[0])).toEqual(['b -> c -> b', 'c -> b -> c']);
  });

  it.each([['a -> b'], ['b -> a']])('reports %s as obsolete when it no longer closes a cycle', (line) =>
    expect(cycleProblems(imports('a -> b'), [line])).toEqual([
      `${line} closes no cycle: remove it from scripts/test/known-cycles.mjs`,
    ]),
  );
});
