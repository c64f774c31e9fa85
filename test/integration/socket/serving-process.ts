/** Serves the socket of a folder, reports that, and stays until it is killed. */
import { silentLog } from '../../../main/log.ts';
import type { SocketWork } from '../../../main/socket/answers.ts';
import { serveSocket } from '../../../main/socket/server.ts';

const [, , home = ''] = process.argv;
const nothing = () => {
  throw new Error('nothing is there');
};
const work: SocketWork = {
  ...{
    status: nothing,
    performAction: nothing,
    submit: nothing,
    rules: () => [],
    sources: () => ({ sources: [], isCut: false }),
    decide: nothing,
    jobs: () => ({ jobs: [], count: 0 }),
  },
  ...{ accounts: nothing, assets: nothing, asset: nothing, editAsset: nothing, deleteAsset: nothing },
  job: () => undefined,
  onJob: () => () => {},
  stop: () => {},
};
await serveSocket({ home, owner: 'watch', version: '1', work, log: silentLog });
process.stdout.write('serving');
