import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Kinds of delivery to watched folders: the rows of docs/deliveries.md. Most of their time they wait, so several are played at once. */
export default defineConfig({
  test: {
    include: ['test/deliveries/**/*.test.ts'],
    maxWorkers: 2,
    maxConcurrency: 4,
    testTimeout: 90_000,
    hookTimeout: 30_000,
    // Each upload starts its worker threads anew: what they are compiled to is kept.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'tilelift-compiled') },
  },
});
