import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { Phrase } from '../../../strings/phrase.ts';
import type { RuleProblem } from './rule-problems.ts';

/** Where things stand in a JSON text. Pure. */

/** A problem, and where it stands: line and column from 1. */
export interface LocatedProblem {
  readonly line: number;
  readonly column: number;
  /** `rules[2].unit.kind`; empty for the file as a whole. */
  readonly field: string;
  /** What is wrong with it, to stand after its name. */
  readonly what: Phrase;
}

/** What the schema has passed over: most of it is mistyped. */
export function unknownKeys(
  given: unknown,
  read: unknown,
  path: readonly (string | number)[] = [],
): RuleProblem[] {
  if (typeof given !== 'object' || given === null || typeof read !== 'object' || read === null) return [];
  return Object.entries(given).flatMap(([name, inner]): RuleProblem[] => {
    const key = Array.isArray(given) ? Number(name) : name;
    const place = [...path, key];
    if (!Object.hasOwn(read, name)) return [{ path: place, what: { key: 'rulesFile.problem.unknown' } }];
    return unknownKeys(inner, (read as Record<string, unknown>)[name], place);
  });
}

/** Of the key of a value, or of what should hold it. */
export function offsetOf(tree: Node, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return tree.offset;
}

/** Line and column, from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
