import type { WatchRule } from '../model/rule.ts';
import { batchPath, nameOf } from '../model/source-names.ts';
import type { KnownBatches } from '../scan/batches.ts';
import { type EarlierRules, rulesBefore } from '../scan/earlier-rules.ts';
import type { RuleScanOptions } from '../scan/scan-rule.ts';
import { type LedgerPorts, writeActivity } from './ports.ts';

type RulePorts = Pick<LedgerPorts, 'ledger' | 'rules'>;

/** The ledger's batches of a rule. */
export function createKnownBatches(rule: WatchRule, { ledger, rules }: RulePorts): KnownBatches {
  return async (pause) => {
    // A new rule adopts the rows of earlier rules.
    const isKept = rules().some(({ id }) => id === rule.id);
    const ruleId = isKept ? rule.id : (ledger.rulesBefore(rule)[0] ?? rule.id);
    const ofFile = new Map<string, string>();
    for (const { path, files } of ledger.batchesOf(ruleId)) {
      for (const key of files) if (!ofFile.has(key)) ofFile.set(key, path);
      await pause();
    }
    const nextPath = batchPath(ledger.lastBatch(ruleId) + 1);
    return { ofFile, nextPath, otherPaths: ledger.otherSources(ruleId) };
  };
}

/** Options for a single scan of a rule's folder. */
export function scanOptionsOf(rule: WatchRule, parts: RulePorts, worker: URL | undefined): RuleScanOptions {
  return {
    ...sourceScanOptions(rule, parts, worker),
    isMeant: (path) => parts.ledger.find(rule.id, path) !== undefined,
    earlier: { rules: rulesBefore(rule, parts.rules()) },
  };
}

/** Options for known sources, which belong to this rule in any case. */
export function sourceScanOptions(
  rule: WatchRule,
  parts: RulePorts,
  worker: URL | undefined,
): RuleScanOptions {
  return { ...(worker ? { worker } : {}), batches: createKnownBatches(rule, parts) };
}

const maxReported = 10_000;

/** Logs each file that an earlier rule gets once. */
export function createEarlier(rule: WatchRule, parts: LedgerPorts): EarlierRules {
  const reported = new Set<string>();
  return {
    get rules() {
      return rulesBefore(rule, parts.rules());
    },
    onLeft: (path, ruleName) => {
      if (reported.has(path) || reported.size >= maxReported) return;
      reported.add(path);
      writeActivity(parts, rule.id, {
        key: 'sources.leftToRule',
        values: { name: nameOf(rule, path), rule: ruleName },
      });
    },
  };
}
