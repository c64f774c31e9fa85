import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('free-memory-process.ts', import.meta.url));
const young = fileURLToPath(new URL('young-memory-process.ts', import.meta.url));

test('returns freed memory to the system on request', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const {
    before: bytesBefore,
    full: bytesFull,
    after: bytesAfter,
  } = JSON.parse(stdout) as Record<string, number>;
  const grownBytes = (bytesFull ?? 0) - (bytesBefore ?? 0);
  expect(grownBytes).toBeGreaterThan(50e6);
  expect((bytesAfter ?? 0) - (bytesBefore ?? 0)).toBeLessThan(grownBytes / 2);
});

test('keeps its young generation small while millions of rows pass', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [young]);
  const { bytes } = JSON.parse(stdout) as Record<string, number>;
  // Without freeing memory it grows to at least 60 MB.
  expect(bytes).toBeLessThan(16e6);
});

test('leaves its threads room for their objects', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [young, 'thread']);
  const { bytes } = JSON.parse(stdout) as Record<string, number>;
  // V8 starts with one megabyte and its copy.
  expect(bytes).toBeGreaterThanOrEqual(4 * 2 ** 20);
});
