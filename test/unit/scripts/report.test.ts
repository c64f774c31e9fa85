import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesThatFailed, testsOf } from '../../../scripts/test/report.mjs';

/** A report with these files, each with the states of its tests, as Vitest writes it. */
function report(files: Readonly<Record<string, { status: string; tests: readonly string[] }>>): string {
  const path = join(mkdtempSync(join(tmpdir(), 'tilelift-report-')), 'unit.json');
  const testResults = Object.entries(files).map(([name, { status, tests }]) => ({
    name,
    status,
    assertionResults: tests.map((one, index) => ({ status: one, fullName: `test ${index}` })),
  }));
  writeFileSync(path, JSON.stringify({ testResults }));
  return path;
}

it('names the files in which a test failed, each once', () => {
  const path = report({
    '/a.test.ts': { status: 'passed', tests: ['passed', 'pending'] },
    '/b.test.ts': { status: 'failed', tests: ['failed', 'passed', 'failed'] },
  });
  expect(filesThatFailed(path)).toEqual(['/b.test.ts']);
});

it('names a file whose tests were never begun, and counts it as one that failed', () => {
  const path = report({ '/c.test.ts': { status: 'failed', tests: ['skipped', 'skipped'] } });
  expect(filesThatFailed(path)).toEqual(['/c.test.ts']);
  expect(testsOf(path)?.filter(({ status }) => status === 'failed')).toHaveLength(1);
});

it('tells a run that wrote no report from one without tests', () => {
  expect(testsOf('/nowhere/unit.json')).toBeNull();
  expect(testsOf(report({}))).toEqual([]);
});
