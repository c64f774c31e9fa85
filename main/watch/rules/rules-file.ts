import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { doubleKeys, type JsonTree, offsetOf, positionOf, readJson } from '../../../shared/json-positions.ts';
import { findKind } from '../../../shared/kinds.ts';
import type { LocatedProblem } from '../../../shared/watch.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import { type WatchRule, watchRuleSchema } from '../model/rule.ts';

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
      return issue.params?.isRelativePath
        ? { key: 'rulesFile.problem.relative', values: { example: exampleFolder } }
        : otherProblem;
    default:
      return otherProblem;
  }
}

const exampleFolder = process.platform === 'win32' ? 'D:\\incoming' : '/srv/incoming';

/** All numbers of a rule are integers. */
function leastOf({ minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): number {
  return Number(minimum) + (inclusive === false ? 1 : 0);
}

const otherProblem: Phrase = { key: 'rulesFile.problem.other' };

function oneOf(values: readonly unknown[]): Phrase {
  return { key: 'rulesFile.problem.oneOf', values: { values: { names: values.map(String) } } };
}

/**
 * Watch rules as a file (docs/rules-file.md). Pure. Contains no secrets: an account is only named by its ID.
 */

/** Increase it if older files would be misread. */
const rulesFileVersion = 1;
export const maxRules = 1_000;

const { shape } = watchRuleSchema;
/** Only folder, unit and kind are required. */
export const fileRuleSchema = z.object({
  ...shape,
  id: shape.id.optional(),
  accountId: shape.accountId.optional(),
  clampToTerrain: shape.clampToTerrain.default(false),
  baseTerrainId: shape.baseTerrainId.default(null),
  namePattern: shape.namePattern.default('{name}'),
  description: shape.description.default(''),
  ignore: shape.ignore.default([]),
  settleSeconds: shape.settleSeconds.default(null),
  whenChanged: shape.whenChanged.default('hold'),
  afterSuccess: shape.afterSuccess.default({ kind: 'leave' }),
  afterFailure: shape.afterFailure.default({ kind: 'leave' }),
  whenTooLong: shape.whenTooLong.default('hold'),
  whenExpired: shape.whenExpired.default('wait'),
  shared: shape.shared.default(false),
  on: z.boolean().default(false),
});
const fileSchema = z.object({
  $schema: z.string().optional(),
  schemaVersion: z.literal(rulesFileVersion),
  rules: z.array(z.preprocess(withDerived, fileRuleSchema)).min(1).max(maxRules).readonly(),
});

/** Adds name and asset type, which follow from other fields. */
export function withDerived(written: unknown): unknown {
  if (typeof written !== 'object' || written === null) return written;
  const { folder, sourceType, name, assetType } = written as Readonly<Record<string, unknown>>;
  const kind = typeof sourceType === 'string' ? findKind(sourceType) : undefined;
  return {
    ...written,
    ...(name === undefined && typeof folder === 'string' && { name: nameOfFolder(folder) }),
    ...(assetType === undefined && kind && { assetType: kind.assetType }),
  };
}

const nameOfFolder = (folder: string): string =>
  folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder;

export type FileRule = z.infer<typeof fileRuleSchema>;

export type RulesFile =
  | { readonly kind: 'rules'; readonly rules: readonly FileRule[] }
  /** Sorted by position. No rule of the file may be used. */
  | { readonly kind: 'problems'; readonly problems: readonly LocatedProblem[] };

export function rulesFileText(rules: readonly WatchRule[]): string {
  return `${JSON.stringify({ schemaVersion: rulesFileVersion, rules }, null, 2)}\n`;
}

/** Reads a rules file or returns all its problems. Never throws. */
export function readRulesFile(given: string): RulesFile {
  const read = readCheckedFile(given, fileSchema, ({ rules }) => doubleIds(rules));
  return read.kind === 'problems' ? read : { kind: 'rules', rules: read.data.rules };
}

/** A hand-written file, or all its problems. */
export type CheckedFile<T> =
  | {
      readonly kind: 'read';
      readonly data: T;
      /** Positions of fields in the file, for problems that show later. */
      readonly positionOf: (path: RuleProblem['path']) => Pick<LocatedProblem, 'line' | 'column'>;
    }
  | { readonly kind: 'problems'; readonly problems: readonly LocatedProblem[] };

/**
 * Reads JSON with comments; unknown and duplicate keys are problems too. Never throws.
 *
 * @param more checks beyond the schema
 */
export function readCheckedFile<T>(
  given: string,
  schema: z.ZodType<T> & { readonly shape: object },
  more: (data: T) => readonly Found[] = () => [],
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
    ...(data ? unknownKeys(value, data) : unknownNames(value, schema.shape)),
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

/** Unknown names at the root and in rules of a file that doesn't fit its schema. */
function unknownNames(value: unknown, shape: object): readonly Found[] {
  const rules = valueAt(value, ['rules']);
  const ofRules = Array.isArray(rules)
    ? rules.flatMap((rule: unknown, index) =>
        unknownKeys(rule, namesOf(fileRuleSchema.shape), ['rules', index]),
      )
    : [];
  return [...unknownKeys(value, namesOf(shape)), ...ofRules];
}

/** Without values, so that `unknownKeys` doesn't look deeper. */
const namesOf = (shape: object) => Object.fromEntries(Object.keys(shape).map((name) => [name, null]));

export type Found = RuleProblem & { readonly offset?: number };

export const idTwice: RuleProblem = { path: ['id'], what: { key: 'rulesFile.problem.twice' } };

export function doubleIds(rules: readonly FileRule[]): Found[] {
  return rules.flatMap(({ id }, index): Found[] => {
    const isTwice = id !== undefined && rules.findIndex((candidate) => candidate.id === id) < index;
    return isTwice ? [{ ...idTwice, path: ['rules', index, 'id'] }] : [];
  });
}

/** A rule damaged by hand. It is kept unchanged and watches nothing. */
export interface UnreadableRule {
  /** Only valid for this start. */
  readonly id: string;
  /** Null if unreadable. */
  readonly name: string | null;
  readonly folder: string | null;
  readonly problems: readonly RuleProblem[];
  readonly value: unknown;
  /** The index among all rules of the file. */
  readonly at: number;
}

interface StoredRules {
  readonly rules: readonly WatchRule[];
  readonly unreadable: readonly UnreadableRule[];
}

/** Reads each rule separately. Never throws. */
export function readStoredRules(stored: unknown): StoredRules {
  const rules: WatchRule[] = [];
  const unreadable: UnreadableRule[] = [];
  const values = stored === undefined ? [] : Array.isArray(stored) ? stored : [stored];
  for (const [at, value] of values.entries()) {
    const { data: rule, error } = watchRuleSchema.safeParse(value);
    // Two rules with one ID would share ledger rows.
    const isTwice = rules.some(({ id }) => id === rule?.id);
    if (rule && !isTwice) rules.push(rule);
    else {
      const problems = error ? problemsOf(error, value) : [idTwice];
      const [name, folder] = [textOf(value, 'name'), textOf(value, 'folder')];
      unreadable.push({ id: randomUUID(), name, folder, problems, value, at });
    }
  }
  return { rules, unreadable };
}

/** The settings file's value, including unreadable rules. */
export function storedRules({ rules, unreadable }: StoredRules): readonly unknown[] {
  const values: unknown[] = [...rules];
  for (const { at, value } of unreadable) values.splice(at, 0, value);
  return values;
}

/** A text of the value, shortened; null without any. */
export function textOf(value: unknown, key: string): string | null {
  const text =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, 500) : null;
}
