import type { TestProject } from 'vitest/node';
import { startDesktopSession } from '../../../scripts/test/desktop-session.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Environment variables of a desktop session for each worker, by `VITEST_POOL_ID` - 1. */
    readonly desktopSessions: readonly Readonly<Record<string, string>>[];
  }
}

/** Global setup: starts a desktop session for each worker of the project, with folders of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sessions: Awaited<ReturnType<typeof startDesktopSession>>[] = [];
  // In turn: two displays that start at once could take the same number.
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
