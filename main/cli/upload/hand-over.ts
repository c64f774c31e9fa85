import { TileliftError } from '../../errors.ts';
import { createInspector } from '../../inspect/session/inspector.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { systemClock } from '../../outside.ts';
import type { RunningTilelift } from '../../socket/client.ts';
import type { Cli } from '../cli.ts';
import { untilStopped } from '../running.ts';
import { accountOfRunning } from '../signed-in.ts';
import { type Followed, followJob, type JobsToFollow } from './follow.ts';
import type { Uploader } from './uploader.ts';

/**
 * The Tilelift that holds the journal does the work: this process looks at the data, hands the job over and
 * tells how it gets on.
 * @throws UsageError, TileliftError as `accountOfRunning`
 */
export async function uploadByRunning(cli: Cli, running: RunningTilelift): Promise<Uploader> {
  const { ask, greeting } = running;
  const { id: accountId } = await accountOfRunning(cli, running);
  const inspector = createInspector(cli.workers.scan, cli.stop);
  return {
    ...{ accountId, owner: greeting, inspector },
    terrainsCalled: async (name) => {
      const only = { type: 'TERRAIN', name };
      return (await untilStopped(ask('assets', { accountId, only }), cli.stop)).assets;
    },
    add: (job, again) => ask('submit', { job: { ...job, paths: [...job.paths] }, again }),
    follow: async (job, options) => {
      const heard = hear(running, job);
      const followed = followJob(heard.jobs, job.id, cli.output(), options);
      return Promise.race([followed, heard.lost]);
    },
    close: async () => inspector.close(),
  };
}

/** What is heard of a job, as `followJob` wants it. `lost`: once nothing more will be heard. */
function hear({ ask }: RunningTilelift, job: JobSnapshot) {
  let last = job;
  let isGone = false;
  const listeners = new Set<(id: string) => void>();
  const take = (news: JobSnapshot) => {
    last = news;
    for (const listener of listeners) listener(job.id);
  };
  const jobs: JobsToFollow = {
    get: () => (isGone ? undefined : last),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const lost = new Promise<Followed>((resolve) => {
    const end = (error: unknown) => {
      isGone = true;
      const code = error instanceof TileliftError ? error.code : 'socket-lost';
      resolve({ job: last, exit: 'givenUp', lost: new TileliftError(code) });
    };
    ask('follow', { jobId: job.id }, take).then(
      // Someone has taken it off the list meanwhile.
      (end) => take(end ?? { ...last, status: 'cancelled', endedAt: systemClock.now(), actions: [] }),
      end,
    );
  });
  return { jobs, lost };
}
