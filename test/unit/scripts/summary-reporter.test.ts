import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { summarize } from '../../../scripts/test/summary-reporter.mjs';

/** A test file in Vitest's report, with tests named after their states. */
function file(name: string, isOk: boolean, ...states: string[]): TestModule {
  const tests = states.map((state) => ({
    fullName: state,
    result: () =>
      state === 'retried' ? { state: 'passed', errors: [{ message: 'too late\nat 5' }] } : { state },
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

it('summarize() counts tests and names failed and retried ones', () => {
  const modules = [
    file('a.test.ts', true, 'passed', 'skipped', 'retried'),
    file('b.test.ts', false, 'failed'),
  ];
  expect(summarize(modules, [])).toEqual({
    passed: 2,
    skipped: 1,
    failed: ['b.test.ts: failed'],
    retried: ['a.test.ts: retried: too late'],
    failedFiles: ['b.test.ts'],
    seconds: { 'a.test.ts': 1.3, 'b.test.ts': 1.3 },
  });
});

it('summarize() counts a file that can’t run as a failed test', () => {
  const { failed: failedNames, failedFiles } = summarize(
    [file('c.test.ts', false, 'pending')],
    [{ message: 'crash' }],
  );
  expect(failedNames).toEqual(['c.test.ts: could not be run']);
  expect(failedFiles).toEqual(['c.test.ts']);
});

it('summarize() counts an error outside tests as a failure', () => {
  expect(summarize([file('a.test.ts', true, 'passed')], [{ message: 'unhandled' }]).failed).toEqual([
    'unhandled',
  ]);
});
