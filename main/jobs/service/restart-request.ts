import type { NewJob } from '../model.ts';
import { runningPart } from '../state.ts';
import { withAnyContent } from '../steps/exact-source.ts';
import type { LiveJob } from '../steps/live-job.ts';

/** Returns the request of a job that starts again: with the current files of the same source. */
export function restartRequest(
  { record: { exactly: exactSource, ...job }, state }: LiveJob,
  changes: NewJob['changes'],
): NewJob {
  const previousPart = runningPart(state);
  const expectedAmount =
    'scan' in previousPart && previousPart.scan
      ? { files: previousPart.scan.files, bytes: previousPart.scan.bytes }
      : job.expected;
  return {
    ...job,
    ...(changes ? { changes } : {}),
    ...(exactSource ? { exactly: withAnyContent(exactSource) } : {}),
    ...(expectedAmount ? { expected: expectedAmount } : {}),
  };
}
