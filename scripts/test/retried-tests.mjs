import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const place = 'TILELIFT_RETRIED_TESTS';

/** The reporter, and what it has to be told: where it writes. @param {string} report the step's own */
export const retriedTestsReporter = (report) => ({
  path: fileURLToPath(import.meta.url),
  env: { [place]: fileFor(report) },
});

/**
 * The tests that passed at their second try in the step's last run, each with its file. They are told once.
 * @param {string} report
 * @returns {string[]}
 */
export function retriedTests(report) {
  const file = fileFor(report);
  if (!existsSync(file)) return [];
  const tests = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return tests;
}

/** @param {string} report */
const fileFor = (report) => report.replace(/\.json$/, '.retried.json');

/** A reporter for Vitest: writes down which tests passed only when they were tried again. */
export default class RetriedTests {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const file = process.env[place];
    const retried = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `${relative(process.cwd(), module.moduleId)}: ${test.fullName}`),
    );
    if (file && retried.length > 0) writeFileSync(file, JSON.stringify(retried));
  }
}
