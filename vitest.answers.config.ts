import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Who answered: each foreign answer at each request, in each state. The cases of a file share services, and are played before its tests. */
export default defineConfig({
  test: {
    include: ['test/answers/**/*.test.ts'],
    globalSetup: ['test/answers/https-setup.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // Each upload starts its worker threads anew: what they are compiled to is kept.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'tilelift-compiled') },
    // A busy machine takes longer than the usual second.
    expect: { poll: { timeout: 15_000 } },
  },
});
