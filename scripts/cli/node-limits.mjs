/**
 * Environment of the packaged Node: the C library returns memory sooner and uses fewer heaps for threads
 * (mallopt(3)). Saves about 25 MB with 100,000 watched files.
 */
export const nodeLimits = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
