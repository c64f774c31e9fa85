import type { z } from 'zod';
import { doubleKeys, type JsonTree, offsetOf, positionOf, readJson } from '../shared/json-positions.ts';
import type { LocatedProblem } from '../shared/watch.ts';
import type { Phrase } from '../strings/phrase.ts';

/** A problem in one field of a file. */
export interface FieldProblem {
  /** Starts at the entry, or at the whole file. */
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
export function problemsOf({ issues }: z.ZodError, value: unknown): readonly FieldProblem[] {
  return issues.flatMap((issue): FieldProblem[] => {
    const path = plain(issue.path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key], what: { key: 'rulesFile.problem.unknown' } }));
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
): FieldProblem[] {
  if (typeof given !== 'object' || given === null || typeof read !== 'object' || read === null) return [];
  return Object.entries(given).flatMap(([name, inner]): FieldProblem[] => {
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
      return type ? { key: 'rulesFile.problem.type', values: { type } } : otherProblem;
    }
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? oneOf(issue.options) : otherProblem;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? { key: 'rulesFile.problem.empty' }
        : { key: 'rulesFile.problem.least', values: { least: leastOf(issue) } };
    case 'too_big':
      return { key: 'rulesFile.problem.most', values: { most: Number(issue.maximum) } };
    case 'custom':
      if (typeof issue.params?.meant === 'string')
        return { key: 'rulesFile.problem.nearly', values: { meant: issue.params.meant } };
      return issue.params?.isRelativePath
        ? { key: 'rulesFile.problem.relative', values: { example: exampleFolder } }
        : otherProblem;
    default:
      return otherProblem;
  }
}

const exampleFolder = process.platform === 'win32' ? 'D:\\incoming' : '/srv/incoming';

/** All numbers in these files are integers. */
function leastOf({ minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): number {
  return Number(minimum) + (inclusive === false ? 1 : 0);
}

const otherProblem: Phrase = { key: 'rulesFile.problem.other' };

function oneOf(values: readonly unknown[]): Phrase {
  return { key: 'rulesFile.problem.oneOf', values: { values: { names: values.map(String) } } };
}

/** A hand-written file, or all its problems. */
export type CheckedFile<T> =
  | {
      readonly kind: 'read';
      readonly data: T;
      /** Positions of fields in the file, for problems that show later. */
      readonly positionOf: (path: FieldProblem['path']) => Pick<LocatedProblem, 'line' | 'column'>;
    }
  | { readonly kind: 'problems'; readonly problems: readonly LocatedProblem[] };

/** The file's list of entries, and the fields of each. */
interface Entries {
  readonly key: string;
  readonly shape: object;
}

interface CheckOptions<T> {
  readonly entries: Entries;
  /** Checks beyond the schema. */
  readonly more?: (data: T) => readonly Found[];
}

/**
 * Reads JSON with comments; unknown and duplicate keys are problems too. Never throws.
 */
export function readCheckedFile<T>(
  given: string,
  schema: z.ZodType<T> & { readonly shape: object },
  { entries, more = () => [] }: CheckOptions<T>,
): CheckedFile<T> {
  // Older versions of Notepad add a byte order mark.
  const text = given.replace(/^\uFEFF/, '');
  const json = readJson(text, 'with-comments');
  if (json.fault) {
    const { offset, what } = json.fault;
    return { kind: 'problems', problems: [{ ...positionOf(text, offset), field: '', what }] };
  }
  const { tree, value } = json;
  const { data, error } = schema.safeParse(value);
  const problems = [
    ...doubleKeys(tree).map((key): Found => ({ ...key, what: { key: 'rulesFile.problem.keyTwice' } })),
    ...(error ? problemsOf(error, value) : []),
    ...(data ? unknownKeys(value, data) : unknownNames(value, schema.shape, entries)),
    ...(data ? more(data) : []),
  ];
  if (!data || problems.length > 0) return { kind: 'problems', problems: located(problems, tree, text) };
  return { kind: 'read', data, positionOf: (path) => positionOf(text, offsetOf(tree, path)) };
}

/** Problems with their positions in the text, sorted by these. */
export function located(problems: readonly Found[], tree: JsonTree, text: string): readonly LocatedProblem[] {
  return problems
    .map((problem) => ({ ...problem, offset: problem.offset ?? offsetOf(tree, problem.path) }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ path, what, offset }) => ({ ...positionOf(text, offset), field: fieldName(path), what }));
}

/** Unknown names at the root and in entries of a file that doesn't fit its schema. */
function unknownNames(value: unknown, shape: object, { key, shape: entryShape }: Entries): readonly Found[] {
  const list = valueAt(value, [key]);
  const ofEntries = Array.isArray(list)
    ? list.flatMap((entry: unknown, index) => unknownKeys(entry, namesOf(entryShape), [key, index]))
    : [];
  return [...unknownKeys(value, namesOf(shape)), ...ofEntries];
}

/** Without values, so that `unknownKeys` doesn't look deeper. */
const namesOf = (shape: object) => Object.fromEntries(Object.keys(shape).map((name) => [name, null]));

export type Found = FieldProblem & { readonly offset?: number };

/** A text of the value, shortened; null without any. */
export function textOf(value: unknown, key: string): string | null {
  const text =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, 500) : null;
}
