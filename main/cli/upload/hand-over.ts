import { TileliftError } from '../../errors.ts';
import { createInspector } from '../../inspect/session/inspector.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { systemClock } from '../../ports.ts';
import type { RunningTilelift } from '../../socket/client.ts';
import type { Cli } from '../cli.ts';
import { untilStopped } from '../running.ts';
import { accountOfRunning } from '../signed-in.ts';
import { type Followed, followJob, type JobsToFollow } from './follow.ts';
import type { Uploader } from './uploader.ts';

/**
 * Inspects here and submits to the Tilelift that holds the journal.
 * @throws UsageError, TileliftError like `accountOfRunning`
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
    add: (job, allowRepeat) => ask('submit', { job: { ...job, paths: [...job.paths] }, again: allowRepeat }),
    follow: async (job, options) => {
      const remote = subscribe(running, job);
      const followed = followJob(remote.jobs, job.id, cli.output(), options);
      return Promise.race([followed, remote.lost]);
    },
    close: async () => inspector.close(),
  };
}

function subscribe({ ask }: RunningTilelift, job: JobSnapshot) {
  let latest = job;
  let isGone = false;
  const listeners = new Set<(id: string) => void>();
  const update = (news: JobSnapshot) => {
    latest = news;
    for (const listener of listeners) listener(job.id);
  };
  const jobs: JobsToFollow = {
    get: () => (isGone ? undefined : latest),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const connectionLost = new Promise<Followed>((resolve) => {
    const end = (error: unknown) => {
      isGone = true;
      const code = error instanceof TileliftError ? error.code : 'socket-lost';
      resolve({ job: latest, exit: 'givenUp', connectionError: new TileliftError(code) });
    };
    ask('follow', { jobId: job.id }, update).then(
      // Null: the user removed the job.
      (end) => update(end ?? { ...latest, status: 'cancelled', endedAt: systemClock.now(), actions: [] }),
      end,
    );
  });
  return { jobs, lost: connectionLost };
}
