import { defineConfig } from 'vitest/config';

/** End-to-end tests share one desktop, so they run one after the other. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
