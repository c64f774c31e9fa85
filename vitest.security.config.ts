import { defineConfig } from 'vitest/config';

/** What `npm test -- security` runs: every test that docs/security.md names. Those on the packaged app share one desktop. */
export default defineConfig({
  test: {
    include: [
      'test/{security,patterns}/**/*.test.ts',
      'test/unit/{log,redact}.test.ts',
      'test/unit/desktop/**/*.test.ts',
      'test/unit/account/{callback,encrypted-vault,sign-in-state}.test.ts',
      'test/e2e/{shell,shell-fuses,deep-links,logs,keychain,system-browser}.test.ts',
    ],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
