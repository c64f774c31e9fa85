import { defineConfig } from 'vitest/config';

/** What is packed for systems other than this one, read back. */
export default defineConfig({
  test: {
    include: ['test/packed/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
