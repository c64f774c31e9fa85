import { randomUUID } from 'node:crypto';
import type { WatchService } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { isPolicyRule } from './policy-rules.ts';
import { applyChanges, findPresent, type LateRule, reconcile } from './reconcile.ts';
import type { FileRule } from './rules-file.ts';

/** The user's choice for one rule of a file. */
export interface ImportChoice {
  readonly accountId: string;
  readonly folder: string;
  /** Replaces the present rule; otherwise both are kept. */
  readonly replace: boolean;
  /** Also upload present files; for a replacement, those that the previous rule didn't pick up. */
  readonly takeExisting: boolean;
}

/** This computer's state. */
export interface Here {
  readonly rules: readonly WatchRule[];
  readonly accountId: string;
}

interface ImportedRule {
  readonly rule: WatchRule;
  readonly takeExisting: boolean;
}

/** The rule's account, signed in or not, otherwise the current one; existing files are skipped. Pure. */
export function defaultChoice({ accountId, folder }: FileRule, here: Here): ImportChoice {
  return { accountId: accountId ?? here.accountId, folder, replace: true, takeExisting: false };
}

/** The present rule that an imported one replaces, or null. A copied policy rule replaces none. Pure. */
export function replacedBy(rule: FileRule, { rules }: Pick<Here, 'rules'>): WatchRule | null {
  if (rule.id !== undefined && isPolicyRule(rule.id)) return null;
  const userRules = rules.filter(({ id }) => !isPolicyRule(id));
  return findPresent(rule, userRules);
}

/** A replacement stays on or off; new rules are off. Pure except for new IDs. */
export function planImport(
  chosen: readonly { readonly given: FileRule; readonly choice: ImportChoice }[],
  here: Pick<Here, 'rules'>,
): readonly ImportedRule[] {
  return chosen.map(({ given, choice: { accountId, folder, takeExisting, replace } }) => {
    const present = replacedBy(given, here);
    const previous = replace ? present : null;
    const isFree = given.id !== undefined && !isPolicyRule(given.id) && !present;
    const id = previous?.id ?? (isFree && given.id !== undefined ? given.id : randomUUID());
    return { rule: { ...given, id, accountId, folder, on: previous?.on ?? false }, takeExisting };
  });
}

/** Stores all rules or none. Returns the rule that can't be stored, or null. */
export async function importRules(
  imported: readonly ImportedRule[],
  { rules }: Pick<Here, 'rules'>,
  watch: Pick<WatchService, 'save' | 'remove'>,
): Promise<LateRule | null> {
  const uploads = new Set(imported.flatMap(({ rule, takeExisting }) => (takeExisting ? [rule.id] : [])));
  const takeExisting = ({ id }: WatchRule) => uploads.has(id);
  const requested = imported.map(({ rule }) => rule);
  const changes = reconcile(requested, rules, () => false, takeExisting);
  const [late] = await applyChanges(changes, watch, { takeExisting, isAtomic: true });
  return late ?? null;
}
