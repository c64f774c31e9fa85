import { isDeepStrictEqual } from 'node:util';
import { type ErrorRecord, TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { SettingsPort } from '../../settings-port.ts';
import type { RuleSnapshot, WatchService } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { goneFrom, holdBack, isAsWanted, wantedRule } from './agree-rules.ts';
import type { FaultyPolicyRule, PolicyRule, PolicyRules } from './read-policy-rules.ts';
import { isPolicyRule } from './read-policy-rules.ts';
import { untriedRule } from './untried-rule.ts';

interface PolicyWatchOptions {
  readonly watch: WatchService;
  readonly settings: SettingsPort<{
    readonly watchRules: readonly WatchRule[];
    /** These rules are off until they match the policy. */
    readonly heldByPolicy: readonly string[];
  }>;
  /** Null if the policy is unreadable; then stored rules stay unchanged. */
  readonly rules: PolicyRules | null;
  readonly path: string;
  readonly accounts: {
    /** The account's ID at a service; `previous` if it is still known there. */
    of(baseUrl: string, previous?: string): string;
    current(): string | null;
    onSignIn(listener: () => void): () => void;
  };
  /** False: ledger rows were lost, so no inactive rule may continue by itself. */
  readonly ledgerIsWhole: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Retry interval, ms: the folder may appear, or the user may sign in. */
const againMs = 15_000;

/**
 * Adds the policy's rules to the watch service, at the start and whenever possible; existing files are
 * skipped. `save`, `remove` and `setOn` throw `set-by-policy` for them.
 */
export function withPolicyRules(options: PolicyWatchOptions): WatchService {
  const { watch, settings, rules, accounts, clock, log } = options;
  const listeners = new Set<(ruleId: string) => void>();
  /** Inactive rules, and why; null: creation is in progress. */
  const waiting = new Map<string, { readonly rule: WatchRule; readonly error: ErrorRecord | null }>();
  const stopping = new AbortController();
  let work = Promise.resolve();
  let wake = () => {};
  const stopListening = accounts.onSignIn(() => wake());

  const kept = () => settings.get().watchRules;
  const keptOf = (id: string) => kept().find((rule) => rule.id === id);
  const wantedOf = (policyRule: PolicyRule, before = keptOf(policyRule.rule.id)) =>
    wantedRule(policyRule, before, { of: accounts.of, current: accounts.current() });
  const policyRuleOf = (id: string) => rules?.rules.find(({ rule }) => rule.id === id);
  const faultOf = (id: string) => rules?.faulty.find((one) => one.id === id);
  const setByPolicy = () => new TileliftError('set-by-policy', { subject: options.path });

  function tell(ruleId: string): void {
    for (const listener of listeners) listener(ruleId);
  }

  function wait(rule: WatchRule, error: ErrorRecord | null): void {
    const before = waiting.get(rule.id)?.error;
    waiting.set(rule.id, { rule, error });
    if (before?.code !== error?.code || !isDeepStrictEqual(before?.subject, error?.subject)) tell(rule.id);
  }

  /** Runs before any rule starts, so that none follows an outdated policy. */
  function hold(): void {
    if (!rules || !kept().some(({ id }) => isPolicyRule(id))) return;
    const changed = holdBack(kept(), options.ledgerIsWhole ? settings.get().heldByPolicy : [], (rule) => {
      const policyRule = policyRuleOf(rule.id);
      return policyRule ? wantedOf(policyRule, rule) : null;
    });
    settings.update({ watchRules: changed.rules, heldByPolicy: changed.held });
  }

  function release(ruleId: string): void {
    const { heldByPolicy } = settings.get();
    if (heldByPolicy.includes(ruleId))
      settings.update({ heldByPolicy: heldByPolicy.filter((id) => id !== ruleId) });
  }

  async function apply(all: PolicyRules): Promise<void> {
    for (const { id } of goneFrom(all, kept())) {
      watch.remove(id);
      release(id);
    }
    for (const policyRule of all.rules) await make(policyRule);
    while (waiting.size > 0 && !stopping.signal.aborted) {
      await rest();
      for (const id of [...waiting.keys()]) {
        const policyRule = policyRuleOf(id);
        if (policyRule && !stopping.signal.aborted) await make(policyRule);
      }
    }
  }

  function rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    clock.sleep(againMs, stopping.signal).then(resolve, resolve);
    return promise;
  }

  async function make(policyRule: PolicyRule): Promise<void> {
    const { id } = policyRule.rule;
    const before = keptOf(id);
    const wanted = wantedOf(policyRule);
    if (!wanted) {
      const error = toErrorRecord(
        new TileliftError('policy-rule-no-account', { subject: policyRule.rule.name }),
      );
      return wait({ ...policyRule.rule, accountId: '' }, error);
    }
    if (before && isAsWanted(before, wanted)) return;
    if (!waiting.has(id)) wait(before ?? wanted, null);
    // A rule that is off for another reason stays off.
    const on = wanted.on && (!before || before.on || settings.get().heldByPolicy.includes(id));
    try {
      await watch.save({ ...wanted, on }, false);
      waiting.delete(id);
      if (on) release(id);
      else if (!wanted.on && !before) settings.update({ heldByPolicy: [...settings.get().heldByPolicy, id] });
    } catch (thrown) {
      if (stopping.signal.aborted) return;
      log.warn({ ruleId: id, cause: toTileliftError(thrown).code }, 'a rule of the policy can’t work yet');
      wait(before ?? wanted, toErrorRecord(thrown));
    }
    tell(id);
  }

  function locked(snapshot: RuleSnapshot): RuleSnapshot {
    const { rule } = snapshot;
    if (!isPolicyRule(rule.id)) return snapshot;
    const late = waiting.get(rule.id);
    const fault = faultOf(rule.id);
    if (late) return { ...snapshot, locked: true, ...restOf(late.error) };
    if (fault)
      return { ...snapshot, locked: true, ...restOf(toErrorRecord(faultyRules([fault], options.path))) };
    return { ...snapshot, locked: true, mayGoOn: !rule.on && mayGoOn(rule.id) };
  }

  function restOf(error: ErrorRecord | null): Pick<RuleSnapshot, 'state' | 'notice'> {
    return { state: error ? 'suspended' : 'looking', notice: error };
  }

  return {
    ...watch,
    start: async () => {
      hold();
      await watch.start();
      if (!rules) return;
      for (const one of rules.rules) {
        const wanted = wantedOf(one);
        const before = keptOf(one.rule.id);
        if (wanted && !(before && isAsWanted(before, wanted)))
          waiting.set(wanted.id, { rule: before ?? wanted, error: null });
      }
      work = apply(rules).catch((thrown: unknown) => {
        if (!stopping.signal.aborted)
          log.error({ error: toErrorRecord(thrown) }, 'rules of the policy could not be taken over');
      });
    },
    stop: async () => {
      stopping.abort();
      stopListening();
      await Promise.all([watch.stop(), work]);
    },
    rules: () => {
      const all = watch.rules().map(locked);
      const known = new Set(all.map(({ rule }) => rule.id));
      const late = [...waiting.values()].filter(({ rule }) => !known.has(rule.id));
      return [
        ...all,
        ...late.map(({ rule, error }) => ({
          ...untriedRule(rule),
          ...restOf(error),
          locked: true,
        })),
      ];
    },
    save: async (rule, takeExisting) => {
      if (isPolicyRule(rule.id)) throw setByPolicy();
      await watch.save(rule, takeExisting);
    },
    remove: (ruleId) => {
      if (isPolicyRule(ruleId)) throw setByPolicy();
      watch.remove(ruleId);
    },
    setOn: (ruleId, on) => {
      if (isPolicyRule(ruleId) && !(on && mayGoOn(ruleId))) throw setByPolicy();
      watch.setOn(ruleId, on);
    },
    onChange: (listener) => {
      listeners.add(listener);
      const stop = watch.onChange(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
  };

  /** After a loss of the ledger the user has to resume each rule, including the policy's. */
  function mayGoOn(ruleId: string): boolean {
    const isHeld = waiting.has(ruleId) || settings.get().heldByPolicy.includes(ruleId);
    return !isHeld && policyRuleOf(ruleId)?.rule.on === true;
  }
}

/** Reports all problems in one error, located like other policy faults. */
export function faultyRules(faulty: readonly FaultyPolicyRule[], path: string): TileliftError {
  const places = faulty.flatMap(({ problems }) =>
    problems.map(({ field, line, column }) => `${field} (${path}:${line}:${column})`),
  );
  const more = places.length - maxNamed;
  const subject = { names: places.slice(0, maxNamed), ...(more > 0 ? { more } : {}) };
  return new TileliftError('policy-rules-faulty', { subject });
}

const maxNamed = 5;
