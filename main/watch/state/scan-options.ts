import type { WatchRule } from '../model/rule.ts';
import type { Pause } from '../model/scheduling.ts';
import { batchPath, nameOf } from '../model/source-names.ts';
import type { KnownBatches } from '../scan/batches.ts';
import { type EarlierRules, rulesBefore } from '../scan/earlier-rules.ts';
import type { RuleScanOptions } from '../scan/scan-rule.ts';
import type { Batch } from './ledger/side-tables.ts';
import { type LedgerPorts, writeActivity } from './ports.ts';

/** Everything that a scan needs apart from the rule. */
export interface ScanPorts extends Pick<LedgerPorts, 'ledger'> {
  /** Sorted by creation. */
  readonly rules: () => readonly WatchRule[];
  readonly scanWorker: URL | undefined;
}

/** The ledger's batches of a rule, cached across scans. */
export function createKnownBatches(
  rule: WatchRule,
  { ledger, rules }: Pick<ScanPorts, 'ledger' | 'rules'>,
): KnownBatches {
  let cached: {
    readonly key: string;
    readonly batches: readonly Batch[];
    readonly otherPaths: readonly string[];
  };

  async function readRows(ruleId: string, pause: Pause) {
    const key = `${ruleId} ${ledger.batchGeneration(ruleId)}`;
    if (cached?.key === key) return cached;
    const batches: Batch[] = [];
    for (const batch of ledger.batchesOf(ruleId)) {
      batches.push(batch);
      await pause();
    }
    cached = { key, batches, otherPaths: ledger.otherSources(ruleId) };
    return cached;
  }

  return {
    read: async (pause) => {
      if (rule.unit.kind !== 'batch') return { ofFile: new Map(), nextPath: batchPath(1), otherPaths: [] };
      // A new rule adopts the rows of earlier rules.
      const isKept = rules().some(({ id }) => id === rule.id);
      const ruleId = isKept ? rule.id : (ledger.rulesBefore(rule)[0] ?? rule.id);
      const { batches, otherPaths } = await readRows(ruleId, pause);
      const ofFile = new Map<string, string>();
      for (const { path, files } of batches) {
        for (const key of files) if (!ofFile.has(key)) ofFile.set(key, path);
        await pause();
      }
      return { ofFile, nextPath: batchPath(ledger.lastBatch(ruleId) + 1), otherPaths };
    },
  };
}

/** Options for a single scan of a rule's folder. */
export function scanOptionsOf(rule: WatchRule, parts: ScanPorts): RuleScanOptions {
  return {
    ...sourceScanOptions(rule, parts),
    isMeant: (path) => parts.ledger.find(rule.id, path) !== undefined,
    earlier: { rules: rulesBefore(rule, parts.rules()) },
  };
}

/** Options for known sources, which belong to this rule in any case. */
export function sourceScanOptions(rule: WatchRule, parts: ScanPorts): RuleScanOptions {
  const { scanWorker } = parts;
  return { ...(scanWorker ? { worker: scanWorker } : {}), batches: createKnownBatches(rule, parts) };
}

const maxReported = 10_000;

/** Logs each file that an earlier rule gets once. */
export function createEarlier(rule: WatchRule, parts: ScanPorts & LedgerPorts): EarlierRules {
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
