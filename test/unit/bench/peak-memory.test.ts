import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const module = new URL('../../../tools/bench/peak-memory.ts', import.meta.url);
const script = `
  const { peakBytes } = await import(${JSON.stringify(module.href)});
  console.log(peakBytes());`;
const run = promisify(execFile);
const mebibyte = 1024 * 1024;

it('peakBytes() measures the process itself, not its parent', async () => {
  // Several times the memory of a bare Node process.
  const ownBuffer = Buffer.alloc(512 * mebibyte, 1);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  expect(Number(stdout)).toBeGreaterThan(10 * mebibyte);
  expect(Number(stdout)).toBeLessThan(ownBuffer.length / 2);
});
