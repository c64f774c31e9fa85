import { errorPhrase } from '../../../strings/said-error.ts';

import type { LedgerEntry, SourceSnapshot } from '../model.ts';
import type { Comparison } from './comparisons.ts';

/** A source that is being compared, as a person sees it. `known`: the ledger's row of its path. */
export function comparingSnapshot(
  ruleId: string,
  { found, since, bytesRead, error }: Comparison,
  known: LedgerEntry | undefined,
): SourceSnapshot {
  const percent = Math.floor((100 * bytesRead) / Math.max(1, found.bytes));
  return {
    ruleId,
    path: found.path,
    files: found.files.length,
    bytes: found.bytes,
    state: 'waiting',
    why: [error ? errorPhrase(error) : { key: 'sources.why.comparing', values: { percent } }],
    at: since,
    jobId: null,
    assetId: known?.assetId ?? null,
    error,
    actions: [],
  };
}
