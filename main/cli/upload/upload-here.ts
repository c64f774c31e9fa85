import { addOnce } from '../../jobs/add-once.ts';
import { newestJobs } from '../../jobs/list/newest-jobs.ts';
import { systemClock } from '../../ports.ts';
import { maxJobsListed } from '../../socket/protocol.ts';
import { serveCommands } from '../../socket/serve-commands.ts';
import type { Cli } from '../cli.ts';
import { openTilelift } from '../compose.ts';
import { untilStopped } from '../running.ts';
import { signedInAccount } from '../signed-in.ts';
import { followJob } from './follow.ts';
import type { Uploader } from './uploader.ts';

/**
 * This process holds the journal and answers other commands.
 * @throws errors of `openTilelift` and `signedInAccount`
 */
export async function uploadHere(cli: Cli, limitRate?: number): Promise<Uploader> {
  const openedTilelift = await openTilelift(cli, { limitRate });
  const { tilelift, home, log } = openedTilelift;
  const clock = systemClock;
  const signingIn = tilelift.start().then(() => signedInAccount(cli, openedTilelift));
  const commands = await serveCommands({
    ...{ ...tilelift, home, owner: 'upload', version: cli.version, ready: signingIn, clock },
    log: log.child('socket'),
  });
  const dispose = async () => {
    await commands.stop();
    await openedTilelift.dispose();
  };
  try {
    const { id: accountId } = await untilStopped(signingIn, cli.stop);
    const { jobs, inspector, accounts } = tilelift;
    return {
      ...{ accountId, owner: null, inspector, close: dispose },
      jobs: async () => newestJobs(jobs, maxJobsListed).newest,
      terrainsCalled: async (terrainName) => {
        const assets = await accounts.serviceFor(accountId).listAssets(cli.stop);
        return assets.filter(({ type, name }) => type === 'TERRAIN' && name === terrainName);
      },
      add: (job, allowRepeat) => addOnce(jobs, job, allowRepeat),
      follow: ({ id }, options) => followJob(jobs, id, cli.output(), options),
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
