import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Creates a folder that is removed after the current test and its `afterEach` hooks. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tilelift-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a folder that is removed after all tests of the file or the `describe` that calls this. */
export function suiteFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tilelift-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
