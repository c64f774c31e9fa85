import { randomUUID } from 'node:crypto';
import { type WatchRule, watchRuleSchema } from '../rule.ts';
import { problemsOf, type RuleProblem } from './rule-problems.ts';

/**
 * A rule of the settings file that this version can't read: written by a later one, or damaged by hand. It is
 * kept as it is, and watches nothing.
 */
export interface UnreadableRule {
  /** For this start. */
  readonly id: string;
  /** What can be told of it anyway; null for nothing. */
  readonly name: string | null;
  readonly folder: string | null;
  readonly problems: readonly RuleProblem[];
  /** As it stands in the file. */
  readonly value: unknown;
  /** Its place among all rules of the file. */
  readonly at: number;
}

/** The rules of a settings file, and what is to be kept of them beside what this version understands. */
interface StoredRules {
  readonly rules: readonly WatchRule[];
  readonly unreadable: readonly UnreadableRule[];
  /** By rule: fields that only a later version knows. */
  readonly laterFields: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** Reads each rule for itself: one that can't be read leaves the others alone. Never throws. */
export function readStoredRules(stored: unknown): StoredRules {
  const rules: WatchRule[] = [];
  const unreadable: UnreadableRule[] = [];
  const laterFields = new Map<string, Readonly<Record<string, unknown>>>();
  const values = stored === undefined ? [] : Array.isArray(stored) ? stored : [stored];
  for (const [at, value] of values.entries()) {
    const { data: rule, error } = watchRuleSchema.safeParse(value);
    // Two rules of one id would be one in the ledger.
    if (rule && !rules.some(({ id }) => id === rule.id)) {
      rules.push(rule);
      const later = Object.entries(value).filter(([key]) => !(key in watchRuleSchema.shape));
      if (later.length > 0) laterFields.set(rule.id, Object.fromEntries(later));
      continue;
    }
    const problems: readonly RuleProblem[] = error
      ? problemsOf(error, value)
      : [{ path: ['id'], what: { key: 'rulesFile.problem.twice' } }];
    const [name, folder] = [textOf(value, 'name'), textOf(value, 'folder')];
    unreadable.push({ id: randomUUID(), name, folder, problems, value, at });
  }
  return { rules, unreadable, laterFields };
}

/** What the settings file is to hold for these rules: nothing unknown to this version is lost. */
export function storedRules({ rules, unreadable, laterFields }: StoredRules): readonly unknown[] {
  const values: unknown[] = rules.map((rule) => ({ ...laterFields.get(rule.id), ...rule }));
  for (const { at, value } of unreadable) values.splice(at, 0, value);
  return values;
}

function textOf(value: unknown, key: string): string | null {
  const text =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, 500) : null;
}
