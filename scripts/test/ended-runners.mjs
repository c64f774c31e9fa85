import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../setup/packages.mjs';

export const endedRunnersReporter = fileURLToPath(import.meta.url);
const told = join(root, 'test-output', 'ended-runners.json');

/** What processes were running that a signal ended in the last run, absolute paths; empty where that was not all that went wrong. @returns {string[]} */
export const filesOfEndedRunners = () => (existsSync(told) ? JSON.parse(readFileSync(told, 'utf8')) : []);

export const forgetEndedRunners = () => rmSync(told, { force: true });

/**
 * A reporter for Vitest: where nothing failed but a process that ran tests was ended by a signal, it writes down what that process was running, as a JSON list of paths.
 * Node can crash while threads begin and end at once (nodejs/node#56312); no test can say anything about that.
 */
export default class EndedRunners {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} errors
   */
  onTestRunEnd(modules, errors) {
    const files = errors.map(runWhenEnded);
    const failed = modules.some((module) => !module.ok() && !files.includes(module.moduleId));
    if (files.length > 0 && !failed && files.every((path) => path !== null))
      writeFileSync(told, JSON.stringify(files));
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
