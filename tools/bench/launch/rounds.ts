/**
 * Launches Tilelift and a bare window in turns and writes the times as JSON. Arguments: number of rounds, a
 * folder.
 */
import { join } from 'node:path';
import { ensureElectron } from '../../../scripts/setup/electron.mjs';
import { packagedExecutable, sandboxArguments } from '../../../test/e2e/support/packaged-app.ts';
import { rotate } from '../numbers.ts';
import { makeBareWindow } from './bare-window.ts';
import { type Program, timeLaunch } from './time-launch.ts';

const [rounds = '5', folder = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..', '..');
const bareFolder = join(folder, 'bare');
await makeBareWindow(bareFolder, join(root, 'out', 'renderer'));

const ourProgram: Program = {
  file: packagedExecutable(),
  // The packaged app only accepts remote debugging with its inspector, which only the build for tests
  // enables.
  args: [...sandboxArguments, '--inspect=0'],
  userData: join(folder, 'tilelift-data'),
};
const bare: Program = {
  file: (await ensureElectron()).executable,
  args: [bareFolder, ...sandboxArguments],
  userData: join(folder, 'bare-data'),
};
const times = { ours: [] as number[], bare: [] as number[] };
// The first round creates folders and warms the disk cache, so it doesn't count.
for (let round = 0; round <= Number(rounds); round++) {
  for (const name of rotate(['ours', 'bare'] as const, round)) {
    const ms = await timeLaunch(name === 'ours' ? ourProgram : bare);
    if (round > 0) times[name].push(ms);
  }
}
process.stdout.write(`${JSON.stringify(times)}\n`);
