import { batchPath } from '../model/batch-path.ts';
import type { Pause } from '../model/pause.ts';
import type { WatchRule } from '../model/rule.ts';
import type { KnownBatches } from '../scan/batches.ts';
import type { Batch } from './ledger/batch-rows.ts';
import type { WatchParts } from './watch-parts.ts';

/** The ledger's batches of a rule, cached across scans. */
export function createKnownBatches(
  rule: WatchRule,
  { ledger, rules }: Pick<WatchParts, 'ledger' | 'rules'>,
): KnownBatches {
  let cached: {
    readonly key: string;
    readonly batches: readonly Batch[];
    readonly otherPaths: readonly string[];
  };

  async function read(ruleId: string, pause: Pause) {
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
    look: async (pause) => {
      if (rule.unit.kind !== 'batch') return { ofFile: new Map(), nextPath: batchPath(1), otherPaths: [] };
      // A new rule adopts the rows of earlier rules.
      const isKept = rules().some(({ id }) => id === rule.id);
      const ruleId = isKept ? rule.id : (ledger.rulesBefore(rule)[0] ?? rule.id);
      const { batches, otherPaths } = await read(ruleId, pause);
      const ofFile = new Map<string, string>();
      for (const { path, files } of batches) {
        for (const key of files) if (!ofFile.has(key)) ofFile.set(key, path);
        await pause();
      }
      return { ofFile, nextPath: batchPath(ledger.lastBatch(ruleId) + 1), otherPaths };
    },
  };
}
