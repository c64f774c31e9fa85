import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const place = 'TILELIFT_ENDED_RUNNERS';

/** The reporter, and what it has to be told: where it writes. @param {string} report the step's own */
export const endedRunnersReporter = (report) => ({
  path: fileURLToPath(import.meta.url),
  env: { [place]: fileFor(report) },
});

/**
 * What processes were running that a signal ended in the step's last run, absolute paths; empty where that
 * was not all that went wrong. They are told once.
 * @param {string} report
 * @returns {string[]}
 */
export function filesOfEndedRunners(report) {
  const file = fileFor(report);
  if (!existsSync(file)) return [];
  const files = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return files;
}

/** @param {string} report */
const fileFor = (report) => report.replace(/\.json$/, '.ended.json');

/**
 * A reporter for Vitest: where nothing failed but a process that ran tests was ended by a signal, it writes
 * down what that process was running, as a JSON list of paths. Node can crash while threads begin and end at
 * once (nodejs/node#56312); no test can say anything about that.
 */
export default class EndedRunners {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} errors
   */
  onTestRunEnd(modules, errors) {
    const files = errors.map(runWhenEnded);
    const failed = modules.some((module) => !module.ok() && !files.includes(module.moduleId));
    const file = process.env[place];
    if (file && files.length > 0 && !failed && files.every((path) => path !== null))
      writeFileSync(file, JSON.stringify(files));
  }
}

/**
 * What a process was running when a signal ended it; null for any other error.
 * @param {{ message: string, cause?: unknown }} error
 * @returns {string | null}
 */
export function runWhenEnded({ message, cause }) {
  const told = /^Worker exited unexpectedly with signal \w+ during \w+ state while running test file (.+)$/;
  const found = told.exec(message)?.[1] ?? null;
  if (found !== null || !(cause instanceof Object) || !('message' in cause)) return found;
  return runWhenEnded({ message: String(cause.message) });
}
