import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder that is removed when the current test ends. Call it in a test or in `beforeEach`. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
