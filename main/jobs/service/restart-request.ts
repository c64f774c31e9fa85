import type { NewJob } from '../model.ts';
import { runningPart } from '../state.ts';
import { withAnyContent } from '../steps/exact-source.ts';
import type { LiveJob } from '../steps/live-job.ts';

/** Returns the request of a job that starts again: with the current files of the same source. */
export function restartRequest(
  { record: { exactly, ...job }, state }: LiveJob,
  changes: NewJob['changes'],
): NewJob {
  const was = runningPart(state);
  const expectedAmount =
    'scan' in was && was.scan ? { files: was.scan.files, bytes: was.scan.bytes } : job.expected;
  return {
    ...job,
    ...(changes ? { changes } : {}),
    ...(exactly ? { exactly: withAnyContent(exactly) } : {}),
    ...(expectedAmount ? { expected: expectedAmount } : {}),
  };
}
