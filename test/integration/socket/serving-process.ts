/** Serves the socket of a folder, reports that, and stays until it is killed. */
import { silentLog } from '../../../main/log.ts';
import type { SocketWork } from '../../../main/socket/answers.ts';
import { serveSocket } from '../../../main/socket/server.ts';

const [, , home = ''] = process.argv;
const failOnCall = () => {
  throw new Error('nothing is there');
};
const work: SocketWork = {
  ...{
    status: failOnCall,
    performAction: failOnCall,
    submit: failOnCall,
    rules: () => [],
    sources: () => ({ sources: [], isCut: false }),
    decide: failOnCall,
    jobs: () => ({ jobs: [], count: 0 }),
  },
  ...{
    accounts: failOnCall,
    assets: failOnCall,
    asset: failOnCall,
    editAsset: failOnCall,
    deleteAsset: failOnCall,
  },
  job: () => undefined,
  onJob: () => () => {},
  stop: () => {},
};
await serveSocket({ home, owner: 'watch', version: '1', work, log: silentLog });
process.stdout.write('serving');
