import { z } from 'zod';
import { doubleKeys, offsetOf, positionOf, readJson } from '../../../shared/json-positions.ts';
import { findKind } from '../../../shared/kinds.ts';
import type { LocatedProblem } from '../../../shared/watch.ts';
import { type WatchRule, watchRuleSchema } from '../model/rule.ts';
import { fieldName, problemsOf, type RuleProblem, unknownKeys, valueAt } from './rule-problems.ts';

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
  | { readonly kind: 'read'; readonly data: T }
  | { readonly kind: 'problems'; readonly problems: readonly LocatedProblem[] };

/**
 * Reads JSON with comments; unknown and duplicate keys are problems too. Never throws.
 *
 * @param more checks beyond the schema
 */
export function readCheckedFile<T>(
  given: string,
  schema: z.ZodType<T>,
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
    ...doubleKeys(tree).map((one): Found => ({ ...one, what: { key: 'rulesFile.problem.keyTwice' } })),
    ...(error ? problemsOf(error, value) : []),
    ...(data ? unknownKeys(value, data) : unknownInRules(value)),
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

function unknownInRules(value: unknown): readonly Found[] {
  const rules = valueAt(value, ['rules']);
  if (!Array.isArray(rules)) return [];
  const known = Object.fromEntries(Object.keys(fileRuleSchema.shape).map((name) => [name, null]));
  return rules.flatMap((rule: unknown, index) => unknownKeys(rule, known, ['rules', index]));
}

export type Found = RuleProblem & { readonly offset?: number };

export function doubleIds(rules: readonly FileRule[]): Found[] {
  return rules.flatMap(({ id }, index): Found[] => {
    const isTwice = id !== undefined && rules.findIndex((other) => other.id === id) < index;
    return isTwice ? [{ path: ['rules', index, 'id'], what: { key: 'rulesFile.problem.twice' } }] : [];
  });
}
