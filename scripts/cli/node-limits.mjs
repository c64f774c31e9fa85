/**
 * How Node is started where the package brings its own: the C library gives memory back sooner and keeps
 * fewer heaps of its own for threads (mallopt(3)). With 100,000 watched files that is some 25 MB.
 */
export const nodeLimits = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
