import { type ErrorRecord, TileliftError, toErrorRecord } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { SettingsPort } from '../../settings-port.ts';
import type { RuleSnapshot, WatchService } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import {
  type FaultyPolicyRule,
  isGone,
  isPolicyRule,
  type PolicyRule,
  type PolicyRules,
  suspendUntilApplied,
  withAccount,
} from './policy-rules.ts';
import { applyChanges, type LateRule, listLateRules, logLateRules, reconcile } from './reconcile.ts';

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
const retryMs = 15_000;

/**
 * Adds the policy's rules to the watch service, at the start and whenever possible; existing files are
 * skipped. `save`, `remove` and `setOn` throw `set-by-policy` for them.
 */
export function withPolicyRules(options: PolicyWatchOptions): WatchService {
  const { watch, settings, rules: policyRules, accounts, clock, log } = options;
  const listeners = new Set<(ruleId: string) => void>();
  let lateRules: readonly LateRule[] = [];
  const stopping = new AbortController();
  let work = Promise.resolve();
  let wake = () => {};
  const stopListening = accounts.onSignIn(() => wake());

  const stored = () => settings.get().watchRules;
  const storedOf = (id: string) => stored().find((rule) => rule.id === id);
  const policyRuleOf = (id: string) => policyRules?.rules.find(({ rule }) => rule.id === id);
  const faultOf = (id: string) => policyRules?.faulty.find((rule) => rule.id === id);
  const lateOf = (id: string) => lateRules.find(({ rule }) => rule.id === id);
  const setByPolicy = () => new TileliftError('set-by-policy', { subject: options.path });
  const requestedOf = (policyRule: PolicyRule, previous = storedOf(policyRule.rule.id)) =>
    withAccount(policyRule, previous, { of: accounts.of, current: accounts.current() });

  /** Runs before any rule starts, so that none follows an outdated policy. */
  function suspend(): void {
    if (!policyRules || !stored().some(({ id }) => isPolicyRule(id))) return;
    const heldByPolicy = options.ledgerIsWhole ? settings.get().heldByPolicy : [];
    const changed = suspendUntilApplied(stored(), heldByPolicy, (rule) => {
      const policyRule = policyRuleOf(rule.id);
      return policyRule ? requestedOf(policyRule, rule) : null;
    });
    settings.update({ watchRules: changed.rules, heldByPolicy: changed.held });
  }

  async function apply(all: PolicyRules): Promise<void> {
    while (!stopping.signal.aborted) {
      const requested: WatchRule[] = [];
      const signedOut: LateRule[] = [];
      for (const policyRule of all.rules) {
        const rule = requestedOf(policyRule);
        if (rule) requested.push({ ...rule, on: rule.on && mayTurnOn(rule.id) });
        else signedOut.push({ rule: { ...policyRule.rule, accountId: '' }, error: noAccount(policyRule) });
      }
      const changes = reconcile(requested, stored(), (rule) => isGone(all, rule));
      const due = [...changes.add, ...changes.change.map(({ rule }) => rule)];
      setLate([...signedOut, ...due.map((rule) => ({ rule, error: lateOf(rule.id)?.error ?? null }))]);
      const late = await applyChanges(changes, watch, { takeExisting: () => false });
      if (stopping.signal.aborted) return;
      const saved = due.filter(({ id }) => !late.some(({ rule }) => rule.id === id));
      const turnedOn = saved.filter(({ on }) => on);
      const offByPolicy = saved.filter((rule) => !rule.on && changes.add.includes(rule));
      const settled = new Set([...changes.remove, ...turnedOn].map(({ id }) => id));
      const heldByPolicy = settings.get().heldByPolicy.filter((id) => !settled.has(id));
      settings.update({ heldByPolicy: [...heldByPolicy, ...offByPolicy.map(({ id }) => id)] });
      setLate([...signedOut, ...late]);
      if (lateRules.length === 0) return;
      await untilRetry();
    }
  }

  /** A rule that is off for another reason stays off. */
  function mayTurnOn(id: string): boolean {
    const previous = storedOf(id);
    return !previous || previous.on || settings.get().heldByPolicy.includes(id);
  }

  /** Logs new errors and notifies listeners of changes. */
  function setLate(late: readonly LateRule[]): void {
    const codesOf = (rules: readonly LateRule[]) =>
      new Map(rules.map(({ rule, error }) => [rule.id, error?.code ?? 'none']));
    const [previousCodes, codes] = [codesOf(lateRules), codesOf(late)];
    logLateRules(late, lateRules, log);
    lateRules = late;
    for (const id of new Set([...previousCodes.keys(), ...codes.keys()]))
      if (previousCodes.get(id) !== codes.get(id)) for (const listener of listeners) listener(id);
  }

  function untilRetry(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    clock.sleep(retryMs, stopping.signal).then(resolve, resolve);
    return promise;
  }

  function locked(snapshot: RuleSnapshot): RuleSnapshot {
    const { rule } = snapshot;
    if (!isPolicyRule(rule.id)) return snapshot;
    const fault = faultOf(rule.id);
    if (fault && !lateOf(rule.id)) {
      const notice = toErrorRecord(faultyRules([fault], options.path));
      return { ...snapshot, locked: true, state: 'suspended', notice };
    }
    return { ...snapshot, locked: true, mayGoOn: !rule.on && mayGoOn(rule.id) };
  }

  return {
    ...watch,
    start: async () => {
      suspend();
      await watch.start();
      if (!policyRules) return;
      work = apply(policyRules).catch((error: unknown) => {
        if (!stopping.signal.aborted)
          log.error({ error: toErrorRecord(error) }, 'rules of the policy could not be taken over');
      });
    },
    stop: async () => {
      stopping.abort();
      stopListening();
      await Promise.all([watch.stop(), work]);
    },
    rules: () => listLateRules(watch.rules(), lateRules).map(locked),
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
    const isHeld = lateOf(ruleId) !== undefined || settings.get().heldByPolicy.includes(ruleId);
    return !isHeld && policyRuleOf(ruleId)?.rule.on === true;
  }
}

const noAccount = ({ rule }: PolicyRule): ErrorRecord =>
  toErrorRecord(new TileliftError('policy-rule-no-account', { subject: rule.name }));

/** Reports all problems in one error, located like other policy faults. */
export function faultyRules(faulty: readonly FaultyPolicyRule[], path: string): TileliftError {
  const places = faulty.flatMap(({ problems }) =>
    problems.map(({ field, line, column }) => `${field} (${path}:${line}:${column})`),
  );
  const furtherCount = places.length - maxNamed;
  const subject = { names: places.slice(0, maxNamed), ...(furtherCount > 0 ? { more: furtherCount } : {}) };
  return new TileliftError('policy-rules-faulty', { subject });
}

const maxNamed = 5;
