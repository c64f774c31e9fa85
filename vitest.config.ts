import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';

type Settings = NonNullable<UserWorkspaceConfig['test']>;

/** Worker threads are started again for each upload and look: what they are compiled to is kept. */
const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'tilelift-compiled') };

/** A busy machine takes longer than the usual second. */
const patient = { poll: { timeout: 60_000 } };

/** Tests in plain Node, of one piece or several. Vitest itself would leave one core for watching. */
const plain: Settings = {
  maxWorkers: 2,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  restoreMocks: true,
  setupFiles: ['test/fail-on-long-sleeps.ts'],
  env,
  expect: patient,
};

/** They wait for processes and settle times, so that two workers leave the processor idle. */
const spacious: Settings = { ...plain, maxWorkers: 3, globalSetup: ['test/integration/bundle-setup.ts'] };

const unitTests = ['test/{unit,security}/**/*.test.ts'];
const integrationTests = ['test/integration/**/*.test.ts'];
/** In a process that files share, module mocks outlive their file, and memory and times are those of all. */
const needsProcess = (file: string) =>
  /\bvi\.(?:mock|doMock)\(|\b(?:bytesInUse|memoryTaken|memoryOf|growthOf)\b/.test(
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
const isolated = (tests: string[]) => globSync(tests, { cwd: import.meta.dirname }).filter(needsProcess);
const isolatedUnitTests = isolated(unitTests);
const isolatedIntegrationTests = isolated(integrationTests);

/** Tests in windows: each worker has a desktop session of its own. */
const onDesktop: Settings = {
  maxWorkers: 2,
  setupFiles: ['test/e2e/support/join-session.ts'],
  expect: patient,
  testTimeout: 120_000,
  hookTimeout: 120_000,
};
const sessions = 'test/e2e/support/desktop-sessions.ts';

/** Tests on one machine or one store, so that they run one after the other. */
const alone: Settings = { fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 };

/**
 * The folders of test/, each run by the step of `npm test` that has its name: `vitest run --project NAME`.
 */
const projects: Readonly<Record<string, Settings>> = {
  unit: { ...plain, include: unitTests, exclude: isolatedUnitTests, pool: 'threads', isolate: false },
  'unit-isolated': { ...plain, include: isolatedUnitTests },
  patterns: plain,
  integration: { ...spacious, include: integrationTests, exclude: isolatedIntegrationTests, isolate: false },
  'integration-isolated': { ...spacious, include: isolatedIntegrationTests },
  service: plain,
  network: plain,
  interop: plain,
  // Deliveries to watched folders: the rows of docs/reference/deliveries.md. They mostly wait, so several run
  // at once.
  deliveries: { ...plain, maxConcurrency: 4, testTimeout: 90_000 },
  // Short stalls are measured in them.
  faults: { ...plain, env: {}, testTimeout: 60_000, hookTimeout: 60_000 },
  // Who answered: each foreign answer at each request, in each state. The cases of a file share services, and
  // are played before its tests.
  answers: {
    ...plain,
    globalSetup: ['test/answers/https-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
  // On the object store that the environment names (S3_ENDPOINT and so on).
  rgw: { ...alone, hookTimeout: 60_000 },
  // What is packed for systems other than this one, read back.
  packed: { testTimeout: 120_000, hookTimeout: 120_000 },
  // The packages of the command, installed and used as an ordinary user.
  cli: { ...alone, expect: patient, hookTimeout: 240_000 },
  // Every state of every screen. Three windows share one process, a fourth is in the other one.
  gallery: { ...onDesktop, globalSetup: [sessions, 'test/gallery/serve-gallery.ts'], maxConcurrency: 3 },
  // The packaged app, used. With a third worker, windows miss frames.
  e2e: { ...onDesktop, globalSetup: [sessions] },
  // The package as installed on this machine: each test continues where the last one ended.
  installed: { ...alone, bail: 1, hookTimeout: 240_000 },
};

export default defineConfig({
  // For the stores, which hold runes.
  plugins: [svelte({ configFile: false })],
  test: {
    projects: Object.entries(projects).map(([name, settings], index) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        // Where several are asked for, one after the other: each has workers as many as suit it.
        sequence: { groupOrder: index + 1 },
        ...settings,
      },
    })),
  },
});
