import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ name: string, status: string, assertionResults: { status: string, fullName: string }[] }} Ran
 */

/**
 * The tests of a step, from the report that Vitest wrote as JSON; null where it wrote none. A file that
 * failed without a test that did counts as one.
 * @param {string} report
 * @returns {{ file: string, name: string, status: string }[] | null}
 */
export function testsOf(report) {
  if (!existsSync(report)) return null;
  /** @type {{ testResults: Ran[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.flatMap(testsOfFile);
}

/** @param {Ran} ran */
function testsOfFile({ name: file, status, assertionResults }) {
  const tests = assertionResults.map((test) => ({ file, name: test.fullName, status: test.status }));
  const failedBefore = status === 'failed' && !tests.some((test) => test.status === 'failed');
  return failedBefore ? [...tests, { file, name: 'could not be run', status: 'failed' }] : tests;
}

/**
 * The files in which a test failed, absolute paths.
 * @param {string} report
 * @returns {string[]}
 */
export function filesThatFailed(report) {
  const failed = (testsOf(report) ?? []).filter(({ status }) => status === 'failed');
  return [...new Set(failed.map(({ file }) => file))];
}
