/**
 * Makes the C library return memory sooner and use fewer heaps (mallopt(3)): saves 25 MB with 100,000 watched
 * files.
 */
export const nodeLimits = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
