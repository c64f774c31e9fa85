import { defineConfig } from 'vitest/config';

/** Fault tests: short stalls are measured in them, so that not all of them run at once. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    restoreMocks: true,
    // A busy machine takes longer than the usual second.
    expect: { poll: { timeout: 15_000 } },
  },
});
