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
    const fromNode = nodeOf(file);
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(specifiers)) {
      const importedPath = join(dirname(file), specifier).replaceAll('\\', '/');
      const toNode = nodeOf(importedPath);
      if (toNode === fromNode || !/^(main|renderer)\//.test(importedPath)) continue;
      const imports = graph.get(fromNode) ?? new Map();
      graph.set(fromNode, imports.set(toNode, `${file} imports ${importedPath}`));
    }
  }
  return graph;
}

/**
 * The shortest path from one folder to another.
 * @param {Graph} graph @param {string} startNode @param {string} endNode
 */
function wayBetween(graph, startNode, endNode) {
  const paths = [[startNode]];
  const reachedNodes = new Set();
  for (const way of paths) {
    for (const neighbour of graph.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (neighbour === endNode) return [...way, neighbour];
      if (reachedNodes.has(neighbour)) continue;
      reachedNodes.add(neighbour);
      paths.push([...way, neighbour]);
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
  for (const [fromNode, imports] of graph)
    for (const [toNode, example] of imports) {
      const back = wayBetween(graph, toNode, fromNode);
      if (back) problems.push(`${[fromNode, ...back].join(' -> ')} is a cycle: ${example}`);
    }
  return problems;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = folderCycles(readImports());
  for (const line of problems) console.error(line);
  if (problems.length > 0) process.exitCode = 1;
}
