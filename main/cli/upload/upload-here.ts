import { addOnce } from '../../jobs/add-once.ts';
import type { Cli } from '../cli.ts';
import { openTilelift } from '../compose.ts';
import { untilStopped } from '../running.ts';
import { signedInAccount } from '../signed-in.ts';
import { followJob } from './follow.ts';
import type { Uploader } from './uploader.ts';

/**
 * This process holds the journal.
 * @throws errors of `openTilelift` and `signedInAccount`
 */
export async function uploadHere(cli: Cli): Promise<Uploader> {
  const opened = await openTilelift(cli);
  const { tilelift, close: closeTilelift } = opened;
  try {
    await untilStopped(tilelift.start(), cli.stop);
    const { id: accountId } = await untilStopped(signedInAccount(cli, opened), cli.stop);
    const { jobs, inspector, accounts } = tilelift;
    return {
      ...{ accountId, owner: null, inspector, close: closeTilelift },
      terrainsCalled: async (terrainName) => {
        const assets = await accounts.serviceFor(accountId).listAssets(cli.stop);
        return assets.filter(({ type, name }) => type === 'TERRAIN' && name === terrainName);
      },
      add: (job, allowRepeat) => addOnce(jobs, job, allowRepeat),
      follow: ({ id }, options) => followJob(jobs, id, cli.output(), options),
    };
  } catch (error) {
    await closeTilelift();
    throw error;
  }
}
