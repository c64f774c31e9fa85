import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { findKind, intendedSourceType } from '../../../shared/kinds.ts';
import type { LocatedProblem } from '../../../shared/watch.ts';
import { type FieldProblem, type Found, problemsOf, readCheckedFile, textOf } from '../../checked-file.ts';
import { type WatchRule, watchRuleSchema } from '../model/rule.ts';

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
  // The service judges other unknown kinds.
  sourceType: shape.sourceType.superRefine((sourceType, { addIssue }) => {
    const meant = intendedSourceType(sourceType);
    if (meant !== undefined) addIssue({ code: 'custom', params: { meant } });
  }),
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

/** For `readCheckedFile`. */
export const ruleEntries = { key: 'rules', shape: fileRuleSchema.shape };

/** Adds name and asset type, which follow from other fields. */
export function withDerived(written: unknown): unknown {
  if (typeof written !== 'object' || written === null) return written;
  const { folder, sourceType, name, assetType } = written as Readonly<Record<string, unknown>>;
  const kind =
    typeof sourceType === 'string' ? findKind(intendedSourceType(sourceType) ?? sourceType) : undefined;
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
  const read = readCheckedFile(given, fileSchema, {
    entries: ruleEntries,
    more: ({ rules }) => doubleIds(rules),
  });
  return read.kind === 'problems' ? read : { kind: 'rules', rules: read.data.rules };
}

export const idTwice: FieldProblem = { path: ['id'], what: { key: 'rulesFile.problem.twice' } };

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
  readonly problems: readonly FieldProblem[];
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
