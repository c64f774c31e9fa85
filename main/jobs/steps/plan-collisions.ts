import { setImmediate } from 'node:timers/promises';
import { TileliftError } from '../../errors.ts';
import type { Journal } from '../journal/journal-model.ts';

/**
 * @param doubtfulKeys keys that may belong to two files
 * @throws TileliftError `source-keys-collide` naming two files; `journal-unusable`
 * @throws the signal's reason when it aborts
 */
export async function refuseCollisions(
  jobId: string,
  doubtfulKeys: ReadonlySet<string>,
  journal: Pick<Journal, 'unfinishedFiles'>,
  signal: AbortSignal,
): Promise<void> {
  if (doubtfulKeys.size === 0) return;
  const pathOf = new Map<string, string>();
  for (let page = journal.unfinishedFiles(jobId); page.length > 0; ) {
    for (const { key, path } of page) {
      if (!doubtfulKeys.has(key)) continue;
      const otherPath = pathOf.get(key);
      if (otherPath !== undefined)
        throw new TileliftError('source-keys-collide', { subject: { list: [otherPath, path] } });
      pathOf.set(key, path);
    }
    await setImmediate();
    signal.throwIfAborted();
    page = journal.unfinishedFiles(jobId, page.at(-1)?.id);
  }
}
