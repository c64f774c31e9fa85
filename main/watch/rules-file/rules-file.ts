import { z } from 'zod';
import { doubleKeys, offsetOf, positionOf, readJson } from '../../../shared/json-positions.ts';
import type { LocatedProblem } from '../../../shared/watch.ts';
import { type WatchRule, watchRuleSchema } from '../rule.ts';
import { fieldName, problemsOf, type RuleProblem, unknownKeys } from './rule-problems.ts';

/**
 * Watch rules as a file (docs/rules-file.md). Pure. Nothing in it is secret: an account is named by its id,
 * and signs in where the file is read.
 */

/** Grows when files of before can't be read any more as they were meant. */
const rulesFileVersion = 1;
export const maxRules = 1_000;

const { shape } = watchRuleSchema;
/** Whoever writes one by hand needs neither an id nor an account: those are given where it is read. */
export const fileRuleSchema = z.object({
  ...shape,
  id: shape.id.optional(),
  accountId: shape.accountId.optional(),
  on: z.boolean().default(false),
});
const fileSchema = z.object({
  schemaVersion: z.literal(rulesFileVersion),
  rules: z.array(fileRuleSchema).min(1).max(maxRules).readonly(),
});

export type FileRule = z.infer<typeof fileRuleSchema>;

export type RulesFile =
  | { readonly kind: 'rules'; readonly rules: readonly FileRule[] }
  /** All of them, as they stand in the file. Nothing of it is to be used. */
  | { readonly kind: 'problems'; readonly problems: readonly LocatedProblem[] };

export function rulesFileText(rules: readonly WatchRule[]): string {
  return `${JSON.stringify({ schemaVersion: rulesFileVersion, rules }, null, 2)}\n`;
}

/** Reads a file, or says everything that is wrong with it. Never throws. */
export function readRulesFile(given: string): RulesFile {
  const read = readCheckedFile(given, fileSchema, ({ rules }) => doubleIds(rules));
  return read.kind === 'problems' ? read : { kind: 'rules', rules: read.data.rules };
}

/** What a file holds that people write: all of it as its schema has it, or everything that is wrong. */
export type CheckedFile<T> =
  | { readonly kind: 'read'; readonly data: T }
  | { readonly kind: 'problems'; readonly problems: readonly LocatedProblem[] };

/**
 * Reads a file of strict JSON: unknown keys and keys that stand twice are problems too. Never throws.
 *
 * @param more what the schema alone can't tell
 */
export function readCheckedFile<T>(
  given: string,
  schema: z.ZodType<T>,
  more: (data: T) => readonly Found[] = () => [],
): CheckedFile<T> {
  // Windows' own editor used to begin a file with a byte order mark.
  const text = given.replace(/^\uFEFF/, '');
  const json = readJson(text);
  if (json.fault) {
    const { offset, what } = json.fault;
    return { kind: 'problems', problems: [{ ...positionOf(text, offset), field: '', what }] };
  }
  const { tree, value } = json;
  const { data, error } = schema.safeParse(value);
  const problems = [
    ...doubleKeys(tree).map((one): Found => ({ ...one, what: { key: 'rulesFile.problem.keyTwice' } })),
    ...(error ? problemsOf(error, value) : []),
    ...(data ? unknownKeys(value, data) : []),
    ...(data ? more(data) : []),
  ].map(({ path, what, offset }: Found): LocatedProblem & { readonly offset: number } => {
    const from = offset ?? offsetOf(tree, path);
    return { ...positionOf(text, from), offset: from, field: fieldName(path), what };
  });
  if (!data || problems.length > 0) {
    problems.sort((a, b) => a.offset - b.offset);
    return { kind: 'problems', problems: problems.map(({ offset: _, ...problem }) => problem) };
  }
  return { kind: 'read', data };
}

type Found = RuleProblem & { readonly offset?: number };

export function doubleIds(rules: readonly FileRule[]): Found[] {
  return rules.flatMap(({ id }, index): Found[] => {
    const isTwice = id !== undefined && rules.findIndex((other) => other.id === id) < index;
    return isTwice ? [{ path: ['rules', index, 'id'], what: { key: 'rulesFile.problem.twice' } }] : [];
  });
}
