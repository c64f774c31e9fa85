import type { JobService, MadeAsset } from '../../jobs/model.ts';
import { fingerprintBitByBit } from '../../source/fingerprint.ts';
import type { InspectedSource } from '../../source/inspect-source.ts';

/**
 * The last complete asset of the same files, with this account, where they are to become one. Null where
 * nothing is known, and where nobody looks on any more (the signal).
 */
export async function madeBefore(
  { files, suggestSeparate }: Pick<InspectedSource, 'files' | 'suggestSeparate'>,
  accountId: string,
  jobs: Pick<JobService, 'madeOf'>,
  signal: AbortSignal,
): Promise<MadeAsset | null> {
  if (suggestSeparate || signal.aborted) return null;
  const fingerprint = await fingerprintBitByBit(files, signal).catch(() => null);
  return fingerprint === null ? null : (jobs.madeOf(accountId, fingerprint) ?? null);
}
