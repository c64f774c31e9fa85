import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { composeTilelift, type Tilelift } from '../../../main/app.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { allowInBrowser } from '../../service/person.ts';
import { testCipher } from '../../unit/account/stand-ins.ts';
import { type Computer, setUpComputer } from './signed-in.ts';

let computer: Computer;
beforeEach(async () => {
  computer = await setUpComputer();
});
afterEach(() => computer.tearDown());

/** All of Tilelift, on the same computer each time. */
function compose(): Tilelift {
  const tilelift: Tilelift = composeTilelift({
    folder: join(dirname(computer.vaultFile), 'user-data'),
    clock: systemClock,
    fetch,
    openBrowser: async (page) => tilelift.accounts.handleCallback(await allowInBrowser(page)),
    cipher: testCipher(),
    settings: computer.settings,
    log: silentLog,
    uploadWorker: new URL('../../../main/workers/upload-worker.ts', import.meta.url),
    scanWorker: new URL('../../../main/workers/scan-worker.ts', import.meta.url),
  });
  return tilelift;
}

it('resumes a stored sign-in before it waits for slow network folders at start', async () => {
  const before = compose();
  await before.start();
  await before.accounts.signIn(computer.address);
  await before.stop();

  const after = compose();
  const started = after.start();
  try {
    expect(after.accounts.state()).toMatchObject({
      kind: 'signed-in',
      account: { id: computer.accountId },
    });
  } finally {
    await started;
    await after.stop();
  }
});
