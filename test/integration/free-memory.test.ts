import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('free-memory-process.ts', import.meta.url));
const young = fileURLToPath(new URL('young-memory-process.ts', import.meta.url));

test('what a process has thrown away goes back to the system when it is told to', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const { before, full, after } = JSON.parse(stdout) as Record<string, number>;
  const grown = (full ?? 0) - (before ?? 0);
  expect(grown).toBeGreaterThan(50e6);
  expect((after ?? 0) - (before ?? 0)).toBeLessThan(grown / 2);
});

test('a process that keeps its young memory small does so while millions of rows pass', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [young]);
  const { bytes } = JSON.parse(stdout) as Record<string, number>;
  // Left to itself it grows to some 60 MB at least.
  expect(bytes).toBeLessThan(16e6);
});

test('its threads have room for what they make nevertheless', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [young, 'thread']);
  const { bytes } = JSON.parse(stdout) as Record<string, number>;
  // One megabyte and its copy are what V8 begins with.
  expect(bytes).toBeGreaterThanOrEqual(4 * 2 ** 20);
});
