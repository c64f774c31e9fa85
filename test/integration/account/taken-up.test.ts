import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Tilelift } from '../../../main/app.ts';
import { allowInBrowser } from '../../service/person.ts';
import { composeForTest } from '../compose-for-test.ts';
import { type Computer, setUpComputer } from './signed-in.ts';

let computer: Computer;
beforeEach(async () => {
  computer = await setUpComputer();
});
afterEach(() => computer.tearDown());

/** A complete Tilelift, on the same computer each time. */
function compose(): Tilelift {
  const tilelift: Tilelift = composeForTest(join(dirname(computer.vaultFile), 'user-data'), {
    openBrowser: async (page) => tilelift.accounts.handleCallback(await allowInBrowser(page)),
    settings: computer.settings,
  });
  return tilelift;
}

it('resumes a stored sign-in before it waits for slow network folders at start', async () => {
  const previousRun = compose();
  await previousRun.start();
  await previousRun.accounts.signIn(computer.address);
  await previousRun.stop();

  const nextStart = compose();
  const startup = nextStart.start();
  try {
    expect(nextStart.accounts.state()).toMatchObject({
      kind: 'signed-in',
      account: { id: computer.accountId },
    });
  } finally {
    await startup;
    await nextStart.stop();
  }
});
