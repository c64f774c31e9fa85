import type { Pause } from '../pause.ts';
import type { WatchRule } from '../rule.ts';
import type { Batches, KnownBatches } from '../survey/units/batches.ts';
import type { WatchParts } from '../watch-parts.ts';
import { type BatchLists, listsOf } from './batch-lists.ts';
import { batchNumber, batchPath } from './batch-path.ts';
import type { Batch } from './batch-rows.ts';

type Parts = Pick<WatchParts, 'ledger' | 'rules' | 'elapsed' | 'timing'>;

interface KnownBatchesOptions {
  /** Lets other computers know what this one knows, where the folder is shared. Default: only reads. */
  readonly publishes?: boolean;
}

/**
 * What the ledger, and in a shared folder the other computers, know of a rule's batches. Kept from survey to
 * survey it saves reading them again.
 */
export function createKnownBatches(
  rule: WatchRule,
  parts: Parts,
  { publishes = false }: KnownBatchesOptions = {},
): KnownBatches {
  const { ledger } = parts;
  const lists = rule.shared ? listsOf(rule.folder, parts) : null;
  const told = new Set<string>();
  let own: { readonly key: string; readonly batches: readonly Batch[]; readonly others: readonly string[] };

  async function ownBatches(ruleId: string, pause: Pause) {
    const key = `${ruleId} ${ledger.batchGeneration(ruleId)}`;
    if (own?.key === key) return own;
    const batches: Batch[] = [];
    for (const batch of ledger.batchesOf(ruleId)) {
      batches.push(batch);
      await pause();
    }
    own = { key, batches, others: ledger.otherSources(ruleId) };
    return own;
  }

  return {
    look: async (pause) => {
      if (rule.unit.kind !== 'batch') return { ofFile: new Map(), next: null, others: [] };
      // A new rule knows what those knew that were there before it.
      const isKept = parts.rules().some(({ id }) => id === rule.id);
      const ruleId = isKept ? rule.id : (ledger.rulesBefore(rule)[0] ?? rule.id);
      if (lists && publishes)
        await publish(ruleId, lists, (await ownBatches(ruleId, pause)).batches, parts, told);
      const { batches, others } = await ownBatches(ruleId, pause);
      const shared = await lists?.read();
      const last = Math.max(ledger.lastBatch(ruleId), shared?.last ?? 0);
      return {
        ofFile: await ofFile(batches, shared, pause),
        next: shared?.isBeingMade ? null : batchPath(last + 1),
        others,
      };
    },
  };
}

type Shared = Awaited<ReturnType<BatchLists['read']>>;

/** A file that two know, as computers that did not know of each other may have it, is the older one's. */
async function ofFile(
  own: readonly Batch[],
  shared: Shared | undefined,
  pause: Pause,
): Promise<Batches['ofFile']> {
  const theirs = [...(shared?.lists ?? [])].map(([number, files]) => ({ path: batchPath(number), files }));
  const numbered = [...own, ...theirs]
    .map((batch) => ({ ...batch, number: batchNumber(batch.path) ?? 0 }))
    .filter(({ number }) => !shared?.gone.has(number))
    .sort((a, b) => a.number - b.number);
  const all = new Map<string, string>();
  for (const { path, files } of numbered) {
    for (const key of files) if (!all.has(key)) all.set(key, path);
    await pause();
  }
  return all;
}

/**
 * A batch that was made while nobody else was asked is told of before another is made. Where its number is
 * another computer's by now it gets a new one: two batches of one number are the same only if they have a
 * file in common.
 *
 * @param told numbers of which that is done
 */
async function publish(
  ruleId: string,
  lists: BatchLists,
  own: readonly Batch[],
  { ledger }: Parts,
  told: Set<string>,
): Promise<void> {
  const untold = own.filter(({ path }) => !told.has(path));
  if (untold.length === 0) return;
  let shared = await lists.read();
  for (const { path, files } of untold) {
    const number = batchNumber(path) ?? 0;
    if (!shared.gone.has(number) && !shared.lists.has(number) && !(await lists.write(number, files)))
      shared = await lists.read();
    told.add(path);
    if (shared.gone.has(number)) continue;
    const theirs = new Set(shared.lists.get(number));
    if (theirs.size === 0 || files.some((key) => theirs.has(key))) continue;
    ledger.renumberBatch(ruleId, path, batchPath(Math.max(ledger.lastBatch(ruleId), shared.last) + 1));
  }
}
