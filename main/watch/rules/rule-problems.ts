import type { z } from 'zod';
import type { Phrase } from '../../../strings/phrase.ts';

/** A problem in one field of a rule. */
export interface RuleProblem {
  /** Starts at the rule, or at the whole file. */
  readonly path: readonly (string | number)[];
  /** Follows the field's name in a sentence. */
  readonly what: Phrase;
}

type Issue = z.core.$ZodIssue;

const typeWords: Readonly<Record<string, Phrase>> = {
  string: { key: 'rulesFile.type.text' },
  number: { key: 'rulesFile.type.number' },
  int: { key: 'rulesFile.type.number' },
  boolean: { key: 'rulesFile.type.boolean' },
  array: { key: 'rulesFile.type.list' },
  object: { key: 'rulesFile.type.object' },
};

/** Converts a schema's issues, in order. Pure. */
export function problemsOf({ issues }: z.ZodError, value: unknown): readonly RuleProblem[] {
  return issues.flatMap((issue): RuleProblem[] => {
    const path = plain(issue.path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: [...path, key],
        what: { key: 'rulesFile.problem.unknown' },
      }));
    const what: Phrase =
      valueAt(value, path) === undefined ? { key: 'rulesFile.problem.missing' } : wordsFor(issue);
    return [{ path, what }];
  });
}

/** Returns keys that the schema ignored; most are typos. */
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

/** Formats `unit.patterns[0]`; empty for the root. */
export function fieldName(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${key}`))
    .join('');
}

/** Returns undefined if missing. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

function plain(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((key) => (typeof key === 'symbol' ? String(key) : key));
}

function wordsFor(issue: Issue): Phrase {
  switch (issue.code) {
    case 'invalid_type': {
      const type = typeWords[issue.expected];
      return type ? { key: 'rulesFile.problem.type', values: { type } } : other;
    }
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? oneOf(issue.options) : other;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? { key: 'rulesFile.problem.empty' }
        : { key: 'rulesFile.problem.least', values: { least: leastOf(issue) } };
    case 'too_big':
      return { key: 'rulesFile.problem.most', values: { most: Number(issue.maximum) } };
    default:
      return other;
  }
}

/** All numbers of a rule are integers. */
function leastOf({ minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): number {
  return Number(minimum) + (inclusive === false ? 1 : 0);
}

const other: Phrase = { key: 'rulesFile.problem.other' };

function oneOf(values: readonly unknown[]): Phrase {
  return { key: 'rulesFile.problem.oneOf', values: { values: { names: values.map(String) } } };
}
