import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../setup/packages.mjs';
import { knownCycles } from './known-cycles.mjs';

/**
 * A folder, or a file directly in `main/` or `renderer/`, with its imported folders and an example for each.
 * @typedef {Map<string, Map<string, string>>} Graph
 */

const specifiers = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'?]+)'/g;

/** @param {string} file @returns {string} */
const nodeOf = (file) => (file.split('/').length > 2 ? dirname(file) : file);

/** Imports between folders of `main/` and `renderer/`, including types. @returns {Graph} */
export function readImports() {
  /** @type {Graph} */
  const graph = new Map();
  for (const path of globSync('{main,renderer}/**/*.{ts,svelte}', { cwd: root })) {
    const file = path.replaceAll('\\', '/');
    const from = nodeOf(file);
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(specifiers)) {
      const imported = join(dirname(file), specifier).replaceAll('\\', '/');
      const to = nodeOf(imported);
      if (to === from || !/^(main|renderer)\//.test(imported)) continue;
      const imports = graph.get(from) ?? new Map();
      graph.set(from, imports.set(to, `${file} imports ${imported}`));
    }
  }
  return graph;
}

/**
 * The shortest path from one folder to another.
 * @param {Graph} graph @param {string} from @param {string} to
 */
function wayBetween(graph, from, to) {
  const ways = [[from]];
  const reached = new Set();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === to) return [...way, next];
      if (reached.has(next)) continue;
      reached.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

/**
 * Problems, a line each: imports that close a cycle of folders, and outdated known ones.
 * @param {Graph} graph @param {readonly string[]} known `main/a -> main/b`
 * @returns {string[]}
 */
export function cycleProblems(graph, known) {
  const listed = known.map((line) => /** @type {[string, string]} */ (line.split(' -> ')));
  const problems = listed
    .filter(([from, to]) => !graph.get(from)?.has(to) || !wayBetween(graph, to, from))
    .map(([from, to]) => `${from} -> ${to} closes no cycle: remove it from scripts/test/known-cycles.mjs`);
  const rest = new Map([...graph].map(([from, imports]) => [from, new Map(imports)]));
  for (const [from, to] of listed) rest.get(from)?.delete(to);
  for (const [from, imports] of rest)
    for (const [to, example] of imports) {
      const back = wayBetween(rest, to, from);
      if (back) problems.push(`${[from, ...back].join(' -> ')} is a cycle: ${example}`);
    }
  return problems;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = cycleProblems(readImports(), knownCycles);
  for (const line of problems) console.error(line);
  if (problems.length > 0) process.exitCode = 1;
}
