/**
 * Purpose of a `scan-worker.ts` thread, passed as `workerData`. Only a type, so that threads don't load the
 * starter's modules.
 */
export type ThreadKind = 'folders' | 'looks' | 'sources' | 'checksums' | 'lists';
