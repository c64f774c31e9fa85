import { hasEnded } from '../../../shared/job-status.ts';
import type { Cli } from '../cli.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findJob } from '../find-job.ts';
import type { FollowResult } from './follow.ts';
import { followToEnd, openUploader } from './open-uploader.ts';
import { defaultGiveUpMinutes } from './options.ts';
import { finish, reportEnd } from './report-end.ts';

/**
 * Waits for a job, or for all that haven't ended, and resumes them if nothing else does.
 * @throws errors of `openUploader` and `findJob`
 */
export async function waitForJobs(cli: Cli, idPrefix: string | undefined): Promise<ExitCode> {
  const session = { uploader: await openUploader(cli) };
  try {
    const jobs = await session.uploader.jobs();
    const unfinishedJobs = jobs.filter(({ status }) => !hasEnded(status)).toReversed();
    const results: FollowResult[] = [];
    for (const job of idPrefix === undefined ? unfinishedJobs : [findJob(jobs, idPrefix)]) {
      const options = { wait: true, giveUpMs: defaultGiveUpMinutes * 60_000, stop: cli.stop };
      const followResult = await followToEnd(cli, session, job, options);
      results.push(followResult);
      reportEnd(cli, followResult, session.uploader);
    }
    return finish(cli, results);
  } finally {
    await session.uploader.close();
  }
}
