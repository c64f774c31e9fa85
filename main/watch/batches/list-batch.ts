import { toErrorRecord, toTileliftError } from '../../errors.ts';
import type { Claims } from '../claims/claims.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import type { WatchParts } from '../watch-parts.ts';
import { listsOf } from './batch-lists.ts';
import { batchNumber } from './batch-path.ts';

/**
 * Tells other computers what is in a batch, before anything is made of it. `theirs`: they have made one of some of its files, and the claim was given back. Other
 * sources need no telling. Throws `watch-claims-unwritable`.
 */
export async function listBatch(
  rule: WatchRule,
  { path, files }: FoundSource,
  claims: Pick<Claims, 'release'>,
  parts: WatchParts,
): Promise<'ours' | 'theirs'> {
  const number = batchNumber(path);
  if (number === null || parts.ledger.find(rule.id, path)) return 'ours';
  const keys = files.map(({ key }) => key);
  if (await listsOf(rule.folder, parts).form(number, keys)) return 'ours';
  await claims.release(path);
  return 'theirs';
}

/** The batch was moved away: what comes by its names is new, for other computers too. */
export async function endList(rule: WatchRule, path: string, parts: WatchParts): Promise<void> {
  const number = batchNumber(path);
  if (!rule.shared || number === null) return;
  await listsOf(rule.folder, parts)
    .end(number)
    .catch((thrown) => {
      const error = toErrorRecord(toTileliftError(thrown));
      parts.log.warn({ ruleId: rule.id, error }, 'that a batch was moved away could not be told');
    });
}
