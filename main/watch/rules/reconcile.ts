import { isDeepStrictEqual } from 'node:util';
import { type ErrorRecord, toErrorRecord } from '../../errors.ts';
import type { WatchService } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';

/** Differences between requested and present rules. */
export interface RuleChanges {
  readonly add: readonly WatchRule[];
  readonly change: readonly { readonly previous: WatchRule; readonly rule: WatchRule }[];
  readonly remove: readonly WatchRule[];
}

/** A rule that can't be saved yet, for example because its folder is missing. Null: it wasn't tried yet. */
export interface LateRule {
  readonly rule: WatchRule;
  readonly error: ErrorRecord | null;
}

/**
 * Compares rules by ID. The source of the requested rules decides the ID: their own, otherwise one of folder
 * and name (`identifyRule`). Pure.
 *
 * @param owns whether the source may remove a present rule that it no longer requests
 */
export function reconcile(
  requested: readonly WatchRule[],
  present: readonly WatchRule[],
  owns: (rule: WatchRule) => boolean,
): RuleChanges {
  const presentById = new Map(present.map((rule) => [rule.id, rule]));
  const requestedIds = new Set(requested.map(({ id }) => id));
  const change = requested.flatMap((rule) => {
    const previous = presentById.get(rule.id);
    return previous && !isDeepStrictEqual(previous, rule) ? [{ previous, rule }] : [];
  });
  return {
    add: requested.filter(({ id }) => !presentById.has(id)),
    change,
    remove: present.filter((rule) => !requestedIds.has(rule.id) && owns(rule)),
  };
}

/** Applies each change that is possible now, and returns the rules to retry. Never rejects. */
export async function applyChanges(
  { add, change, remove }: RuleChanges,
  watch: Pick<WatchService, 'save' | 'remove'>,
  takeExisting: boolean,
): Promise<readonly LateRule[]> {
  for (const { id } of remove) watch.remove(id);
  const lateRules: LateRule[] = [];
  const save = async (rule: WatchRule, upload: boolean) => {
    try {
      await watch.save(rule, upload);
    } catch (error) {
      lateRules.push({ rule, error: toErrorRecord(error) });
    }
  };
  for (const { rule } of change) await save(rule, false);
  for (const rule of add) await save(rule, takeExisting);
  return lateRules;
}
