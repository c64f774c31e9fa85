/**
 * What a thread that runs `scan-worker.ts` is for, told as its `workerData`. A type alone: a thread that took
 * these words from whoever starts it would load all that its starter needs.
 */
export type ThreadKind = 'folders' | 'looks' | 'sources' | 'checksums' | 'lists';
