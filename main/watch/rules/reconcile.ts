import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { noSources } from '../../../shared/watch.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { type ErrorRecord, toErrorRecord } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { RuleSnapshot, WatchService } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';

/** The rules of policy, rules file or import compared with the present ones. */
export interface RuleChanges {
  readonly add: readonly WatchRule[];
  readonly change: readonly { readonly previous: WatchRule; readonly rule: WatchRule }[];
  readonly remove: readonly WatchRule[];
}

/** A rule that isn't saved yet, for example because its folder is missing. Null: it is being saved. */
export interface LateRule {
  readonly rule: WatchRule;
  readonly error: ErrorRecord | null;
}

type Identified = Partial<Pick<WatchRule, 'id'>> & Pick<WatchRule, 'folder' | 'name'>;

/** The rule's own ID, otherwise one of folder and name, which survives changes of patterns or settings. */
export function identifyRule({ id, folder, name }: Identified): string {
  const text = JSON.stringify([folder, name]);
  return id ?? createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Finds the present rule with the same ID, or of the same folder and name if the rule has none. */
export function findPresent<Rule extends WatchRule>(
  { id, folder, name }: Identified,
  present: readonly Rule[],
): Rule | null {
  const isSame = (rule: Rule) =>
    id === undefined ? rule.folder === folder && rule.name === name : rule.id === id;
  return present.find(isSame) ?? null;
}

/**
 * Pure.
 *
 * @param owns whether a present rule that is no longer requested is removed
 * @param again whether an equal rule is saved again
 */
export function reconcile(
  requested: readonly WatchRule[],
  present: readonly WatchRule[],
  owns: (rule: WatchRule) => boolean,
  again: (rule: WatchRule) => boolean = () => false,
): RuleChanges {
  const presentById = new Map(present.map((rule) => [rule.id, rule]));
  const requestedIds = new Set(requested.map(({ id }) => id));
  return {
    add: requested.filter(({ id }) => !presentById.has(id)),
    change: requested.flatMap((rule) => {
      const previous = presentById.get(rule.id);
      return previous && (again(rule) || !isDeepStrictEqual(previous, rule)) ? [{ previous, rule }] : [];
    }),
    remove: present.filter((rule) => !requestedIds.has(rule.id) && owns(rule)),
  };
}

interface ApplyOptions {
  /** Whether to upload present files. */
  readonly takeExisting: (rule: WatchRule, previous: WatchRule | undefined) => boolean;
  /** Undoes all changes after the first error. */
  readonly isAtomic?: boolean;
}

/** Applies each change that is possible now, and returns the rules to retry. */
export async function applyChanges(
  { add, change, remove }: RuleChanges,
  watch: Pick<WatchService, 'save' | 'remove'>,
  { takeExisting, isAtomic = false }: ApplyOptions,
): Promise<readonly LateRule[]> {
  for (const { id } of remove) watch.remove(id);
  const lateRules: LateRule[] = [];
  const saved: (readonly [rule: WatchRule, previous: WatchRule | undefined])[] = [];
  const due = [
    ...change.map(({ rule, previous }) => [rule, previous] as const),
    ...add.map((rule) => [rule, undefined] as const),
  ];
  for (const [rule, previous] of due) {
    try {
      await watch.save(rule, takeExisting(rule, previous));
      saved.push([rule, previous]);
    } catch (error) {
      lateRules.push({ rule, error: toErrorRecord(error) });
      if (isAtomic) break;
    }
  }
  if (!isAtomic || lateRules.length === 0) return lateRules;
  for (const [rule, previous] of saved.reverse()) {
    if (previous) await watch.save(previous, false);
    else watch.remove(rule.id);
  }
  return lateRules;
}

/** Logs the reason of each late rule, once for each reason. */
export function logLateRules(
  lateRules: readonly LateRule[],
  previousRules: readonly LateRule[],
  log: Pick<Log, 'error'>,
): void {
  const previousCodes = new Map(previousRules.map(({ rule, error }) => [rule.id, error?.code]));
  for (const { rule, error } of lateRules) {
    if (!error || error.code === previousCodes.get(rule.id)) continue;
    const { id: ruleId, name, folder } = rule;
    log.error(
      { ruleId, rule: name, folder, code: error.code },
      `a rule can’t work yet: ${inEnglish.sayPhrase(errorPhrase(error))}`,
    );
  }
}

/** Adds late rules to the list, with the reason. */
export function listLateRules(
  snapshots: readonly RuleSnapshot[],
  lateRules: readonly LateRule[],
): readonly RuleSnapshot[] {
  const unsaved = new Map(lateRules.map((late) => [late.rule.id, late]));
  const listed = snapshots.map((snapshot): RuleSnapshot => {
    const late = unsaved.get(snapshot.rule.id);
    unsaved.delete(snapshot.rule.id);
    if (!late) return snapshot;
    // A rule that is on continues as it was.
    return snapshot.rule.on
      ? { ...snapshot, notice: late.error ?? snapshot.notice }
      : { ...snapshot, ...stateOf(late) };
  });
  return [...listed, ...[...unsaved.values()].map((late) => ({ ...unscanned(late.rule), ...stateOf(late) }))];
}

const stateOf = ({ error }: LateRule): Pick<RuleSnapshot, 'state' | 'notice'> => ({
  state: error ? 'suspended' : 'looking',
  notice: error,
});

const unscanned = (rule: WatchRule): RuleSnapshot => ({
  ...{ rule, state: 'looking', notice: null, isNetworkDrive: false, question: null, counts: noSources },
  ...{ lastTakenAt: null, waitingSince: null, lastLookAt: null },
});
