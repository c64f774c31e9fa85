import type { TestProject } from 'vitest/node';
import { startDesktopSession } from '../../../scripts/test/desktop-session.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Environment variables of each worker's desktop session, by `VITEST_POOL_ID` - 1. */
    readonly desktopSessions: readonly Readonly<Record<string, string>>[];
  }
}

/** Global setup: starts a desktop session with its own folders for each worker of the project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sessions: Awaited<ReturnType<typeof startDesktopSession>>[] = [];
  // One at a time, because displays that start together could get the same number.
  for (let worker = 0; worker < Number(project.config.maxWorkers); worker += 1)
    sessions.push(await startDesktopSession());
  project.provide(
    'desktopSessions',
    sessions.map(({ env }) => env),
  );
  return async () => {
    await Promise.all(sessions.map(({ end }) => end()));
  };
}
