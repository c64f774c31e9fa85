import { defineConfig } from 'vitest/config';

/** What `npm test -- security` runs: every test that docs/security.md and docs/threat-model.md name. Those on the packaged app share one desktop. */
export default defineConfig({
  test: {
    include: [
      'test/{security,patterns}/**/*.test.ts',
      'test/unit/{log,redact,threat-model}.test.ts',
      'test/unit/{desktop,ipc,policy}/**/*.test.ts',
      'test/unit/{release/workflow,renderer/service-address,service/address-pair,storage/storage-address}.test.ts',
      'test/unit/watch/{import-rules,policy-rules,program,receipt-export}.test.ts',
      'test/integration/watch/after/*.test.ts',
      'test/unit/account/{callback,encrypted-vault,sign-in-state}.test.ts',
      'test/integration/private-files.test.ts',
      'test/integration/{policy,release,updates}/**/*.test.ts',
      'test/integration/account/sign-in.test.ts',
      'test/integration/alerts/*.test.ts',
      'test/integration/{storage/connections,source/scan-patterns}.test.ts',
      'test/integration/watch/{left-plans,references}.test.ts',
      'test/faults/{hung-reads,source-identity}.test.ts',
      'test/e2e/{updates,shell,shell-fuses,deep-links,logs,keychain,system-browser}.test.ts',
    ],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
