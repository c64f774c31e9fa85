import { randomUUID } from 'node:crypto';
import { type WatchRule, watchRuleSchema } from '../model/rule.ts';
import { problemsOf, type RuleProblem } from './rules-file.ts';

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
    if (rule && !rules.some(({ id }) => id === rule.id)) {
      rules.push(rule);
      continue;
    }
    const problems: readonly RuleProblem[] = error
      ? problemsOf(error, value)
      : [{ path: ['id'], what: { key: 'rulesFile.problem.twice' } }];
    const [name, folder] = [textOf(value, 'name'), textOf(value, 'folder')];
    unreadable.push({ id: randomUUID(), name, folder, problems, value, at });
  }
  return { rules, unreadable };
}

/** The settings file's value, including unreadable rules. */
export function storedRules({ rules, unreadable }: StoredRules): readonly unknown[] {
  const values: unknown[] = [...rules];
  for (const { at, value } of unreadable) values.splice(at, 0, value);
  return values;
}

function textOf(value: unknown, key: string): string | null {
  const text =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, 500) : null;
}
