import { defineConfig } from 'vitest/config';

/** Tests against a real object store that the environment names (S3_ENDPOINT and so on). */
export default defineConfig({
  test: {
    include: ['test/rgw/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
