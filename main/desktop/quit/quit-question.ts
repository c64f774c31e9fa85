import { isToUpload } from '../../../shared/job-status.ts';
import { say } from '../../../strings/say.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { goesOnByItself } from '../work.ts';

/** What a person is asked who quits in the middle of uploads. */
export interface QuitQuestion {
  readonly message: string;
  readonly detail: string;
}

/** Null where no upload is under way: paused ones, those that wait for a person, and tiling, which is the service's work, lose nothing. Pure. */
export function quitQuestion(jobs: readonly JobSnapshot[]): QuitQuestion | null {
  const count = jobs.filter((job) => isToUpload(job.status) && goesOnByItself(job)).length;
  if (count === 0) return null;
  return { message: say('dialogs.quitting', { count }), detail: say('dialogs.quittingDetail', { count }) };
}
