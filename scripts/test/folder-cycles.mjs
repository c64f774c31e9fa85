import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../setup/packages.mjs';

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
 * The shortest cycle of folders through each import that closes one, a line each.
 * @param {Graph} graph @returns {string[]}
 */
export function folderCycles(graph) {
  const problems = [];
  for (const [from, imports] of graph)
    for (const [to, example] of imports) {
      const back = wayBetween(graph, to, from);
      if (back) problems.push(`${[from, ...back].join(' -> ')} is a cycle: ${example}`);
    }
  return problems;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = folderCycles(readImports());
  for (const line of problems) console.error(line);
  if (problems.length > 0) process.exitCode = 1;
}
