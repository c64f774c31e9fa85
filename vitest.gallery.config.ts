import { defineConfig } from 'vitest/config';

/** Every state of every screen, looked through one after the other in one window. */
export default defineConfig({
  test: {
    include: ['test/gallery/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
