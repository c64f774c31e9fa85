import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Result of a Vitest run. `failed`, `retried`: tests with their files; retried ones with their first error.
 * `failedFiles`: files with a failed test or hook, or a crashed process. `seconds`: duration of each file.
 * @typedef {{ passed: number, skipped: number, failed: string[], retried: string[], failedFiles: string[],
 *   seconds: Record<string, number> }} Summary
 */

const variable = 'TILELIFT_TEST_SUMMARY';

/** Arguments and environment that make Vitest write a summary. @param {string} file absolute path */
export const summaryTo = (file) => ({
  args: [`--reporter=${fileURLToPath(import.meta.url)}`],
  env: { [variable]: file },
});

/** A run's summary, or null if it was aborted. @param {string} file @returns {Summary | null} */
export const readSummary = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

/** A reporter for Vitest. */
export default class SummaryReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} errors outside tests
   */
  onTestRunEnd(modules, errors) {
    const file = process.env[variable];
    if (file) writeFileSync(file, JSON.stringify(summarize(modules, errors), null, 1));
  }
}

/**
 * @param {readonly import('vitest/node').TestModule[]} modules
 * @param {readonly { message: string }[]} errors
 * @returns {Summary}
 */
export function summarize(modules, errors) {
  /** @type {Summary} */
  const summary = { passed: 0, skipped: 0, failed: [], retried: [], failedFiles: [], seconds: {} };
  for (const module of modules) {
    const file = relative(process.cwd(), module.moduleId);
    const tests = [...module.children.allTests()];
    const failedTests = tests.filter((test) => test.result().state === 'failed');
    const passedTests = tests.filter((test) => test.result().state === 'passed');
    const retriedTests = passedTests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0);
    const title = (/** @type {{ fullName: string }} */ { fullName }) => `${file}: ${fullName}`;
    summary.passed += passedTests.length;
    summary.skipped += tests.length - passedTests.length - failedTests.length;
    summary.failed.push(...failedTests.map(title));
    for (const test of retriedTests) {
      const why = test.result().errors?.[0]?.message.split('\n', 1)[0];
      summary.retried.push(why ? `${title(test)}: ${why}` : title(test));
    }
    summary.seconds[file] = Math.round(module.diagnostic().duration / 100) / 10;
    if (module.ok()) continue;
    summary.failedFiles.push(file);
    if (failedTests.length === 0) summary.failed.push(`${file}: could not be run`);
  }
  if (summary.failedFiles.length === 0) summary.failed.push(...errors.map(({ message }) => message));
  return summary;
}
