import { expect, it } from 'vitest';
import { run } from '../../../scripts/setup/run.mjs';

/** Prints the id of a detached child and waits for it. */
const family = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  console.log(child.pid);
`;

it('run() kills a slow command with its children', async () => {
  const { code, output } = await run(process.execPath, ['-e', family], { quiet: true, maxMs: 3_000 });
  expect(code).toBe(124);
  const grandchild = Number(output);
  expect(grandchild).toBeGreaterThan(0);
  await expect.poll(() => isAlive(grandchild)).toBe(false);
});

it('run() returns the exit code', async () => {
  expect(await run(process.execPath, ['-e', 'process.exit(3)'], { quiet: true, maxMs: 30_000 })).toEqual({
    code: 3,
    output: '',
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
