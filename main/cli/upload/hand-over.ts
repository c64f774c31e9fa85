import { TileliftError } from '../../errors.ts';
import { createInspector } from '../../inspect/session/inspector.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { systemClock } from '../../ports.ts';
import type { RunningTilelift } from '../../socket/client.ts';
import type { Cli } from '../cli.ts';
import { untilStopped } from '../running.ts';
import { accountOfRunning } from '../signed-in.ts';
import { type FollowResult, followJob, type JobsToFollow } from './follow.ts';
import type { Uploader } from './uploader.ts';

/**
 * Inspects here and submits to the Tilelift that holds the journal.
 * @throws UsageError, TileliftError like `accountOfRunning`
 */
export async function uploadByRunning(cli: Cli, running: RunningTilelift): Promise<Uploader> {
  const { ask, greeting } = running;
  const accountId = await accountOfRunning(cli, running).then(
    ({ id }) => id,
    (error) => {
      running.disconnect();
      throw error;
    },
  );
  const inspector = createInspector(cli.workers.scan, cli.stop);
  return {
    ...{ accountId, owner: greeting, inspector },
    terrainsCalled: async (name) => {
      const terrainAsset = { type: 'TERRAIN', name };
      return (await untilStopped(ask('assets', { accountId, only: terrainAsset }), cli.stop)).assets;
    },
    jobs: async () => (await untilStopped(ask('jobs', {}), cli.stop)).jobs,
    add: (job, allowRepeat) => ask('submit', { job: { ...job, paths: [...job.paths] }, again: allowRepeat }),
    follow: async (job, options) => {
      const remote = subscribe(running, job);
      const followResult = followJob(remote.jobs, job.id, cli.output(), options);
      return Promise.race([followResult, remote.lost]);
    },
    close: async () => {
      inspector.close();
      running.disconnect();
    },
  };
}

function subscribe({ ask }: RunningTilelift, job: JobSnapshot) {
  let latest = job;
  let isGone = false;
  const listeners = new Set<(id: string) => void>();
  const update = (snapshot: JobSnapshot) => {
    latest = snapshot;
    for (const listener of listeners) listener(job.id);
  };
  const jobs: JobsToFollow = {
    get: () => (isGone ? undefined : latest),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const connectionLost = new Promise<FollowResult>((resolve) => {
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
