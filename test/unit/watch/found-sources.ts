import type { FoundSource, LedgerEntry } from '../../../main/watch/model/model.ts';

/** Returns a source of one file that doesn’t exist on disk. */
export function foundSource(path: string, more: Partial<FoundSource> = {}): FoundSource {
  const file = { path: `/in/${path}/a.tif`, key: 'a.tif', size: 100, mtimeMs: 1_000 };
  return {
    path,
    paths: [`/in/${path}`],
    keysFrom: `/in/${path}`,
    files: [file],
    bytes: 100,
    dataFingerprint: `data of ${path}`,
    identity: `identity of ${path}`,
    newestMs: 1_700_000_000_000,
    digest: `digest of ${path}`,
    dataDigest: `data digest of ${path}`,
    allocated: [100],
    missing: [],
    ...more,
  };
}

/** Returns the ledger row of a taken source. */
export function rowOf(source: FoundSource, more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    ruleId: 'rule',
    path: source.path,
    identity: source.identity,
    newestMs: source.newestMs,
    marks: source.digest,
    content: null,
    state: 'complete',
    jobId: 'job',
    assetId: 7,
    takenAt: 1,
    endedAt: 2,
    error: null,
    retries: 0,
    retryAt: null,
    restarts: 0,
    refusedAt: null,
    uploadedAt: null,
    standing: null,
    movedTo: null,
    files: source.files.length,
    bytes: source.bytes,
    ...more,
  };
}

/** Request of the user to upload a source as it is. */
export const requested = { why: 'upload', startedAt: 5 } as const;
