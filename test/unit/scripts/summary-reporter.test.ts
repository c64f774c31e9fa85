import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { summarize } from '../../../scripts/test/summary-reporter.mjs';

/** A test file as Vitest reports it, with tests named after their states. */
function file(name: string, isOk: boolean, ...states: string[]): TestModule {
  const tests = states.map((state) => ({
    fullName: state,
    result: () => ({ state: state === 'retried' ? 'passed' : state }),
    diagnostic: () => ({ retryCount: state === 'retried' ? 1 : 0 }),
  }));
  const module: unknown = {
    moduleId: join(process.cwd(), name),
    ok: () => isOk,
    diagnostic: () => ({ duration: 1_250 }),
    children: { allTests: () => tests },
  };
  return module as TestModule;
}

it('counts tests and names those that failed or passed when retried', () => {
  const modules = [
    file('a.test.ts', true, 'passed', 'skipped', 'retried'),
    file('b.test.ts', false, 'failed'),
  ];
  expect(summarize(modules, [])).toEqual({
    passed: 2,
    skipped: 1,
    failed: ['b.test.ts: failed'],
    retried: ['a.test.ts: retried'],
    failedFiles: ['b.test.ts'],
    seconds: { 'a.test.ts': 1.3, 'b.test.ts': 1.3 },
  });
});

it('counts a file that could not be run, or whose process crashed, as a failed test', () => {
  const { failed, failedFiles } = summarize([file('c.test.ts', false, 'pending')], [{ message: 'crash' }]);
  expect(failed).toEqual(['c.test.ts: could not be run']);
  expect(failedFiles).toEqual(['c.test.ts']);
});

it('counts an error outside all tests as a failure', () => {
  expect(summarize([file('a.test.ts', true, 'passed')], [{ message: 'unhandled' }]).failed).toEqual([
    'unhandled',
  ]);
});
