import { stat } from 'node:fs/promises';
import { TileliftError } from '../errors.ts';
import { defaultReadStallMs, withoutStall } from '../source/stalled-read.ts';

/**
 * Looks whether what was handed over is there for this process too: it may live in another container, as
 * another user, or with other network drives than the command that has found it.
 * @throws TileliftError `source-missing`, naming the first that is not there; `source-stalled`
 */
export async function checkPaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await withoutStall(
      stat(path).catch(() => null),
      path,
      defaultReadStallMs,
    );
    if (!found) throw new TileliftError('source-missing', { subject: path });
  }
}
