import { defineConfig } from 'vitest/config';

/** On the package as installed on this machine: one machine, so one after the other, and each test goes on where the last one ended. */
export default defineConfig({
  test: {
    include: ['test/installed/**/*.test.ts'],
    fileParallelism: false,
    bail: 1,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
