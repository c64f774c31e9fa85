import { addOnce } from '../../jobs/add-once.ts';
import type { Cli } from '../cli.ts';
import { openTilelift } from '../compose.ts';
import { untilStopped } from '../running.ts';
import { signedInAccount } from '../signed-in.ts';
import { followJob } from './follow.ts';
import type { Uploader } from './uploader.ts';

/**
 * This process holds the journal and does the work.
 * @throws what `openTilelift` and `signedInAccount` throw
 */
export async function uploadHere(cli: Cli): Promise<Uploader> {
  const opened = await openTilelift(cli);
  const { tilelift, close } = opened;
  try {
    await untilStopped(tilelift.start(), cli.stop);
    const { id: accountId } = await untilStopped(signedInAccount(cli, opened), cli.stop);
    const { jobs, inspector, accounts } = tilelift;
    return {
      ...{ accountId, owner: null, inspector, close },
      terrainsCalled: async (wanted) => {
        const all = await accounts.serviceFor(accountId).listAssets(cli.stop);
        return all.filter(({ type, name }) => type === 'TERRAIN' && name === wanted);
      },
      add: (job, again) => addOnce(jobs, job, again),
      follow: ({ id }, options) => followJob(jobs, id, cli.output(), options),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
