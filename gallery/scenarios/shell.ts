import { moment } from '../samples/moment.ts';
import { cesium } from '../samples/sample-accounts.ts';
import { signInEnded } from '../samples/sample-errors.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { usual } from '../samples/usual.ts';
import type { Scenario, States } from '../scenario.ts';

const lost = { kind: 'signed-out', error: signInEnded, lost: cesium } as const;

/** What is around the screens. */
export const shell: States = {
  'sign-in-lost': { scenario: signedOutByTheService },
  'sign-in-lost-no-keychain': {
    scenario: () =>
      signedOutByTheService({
        info: { ...usual().info, keychain: 'none' },
        account: { ...lost, error: null },
      }),
  },
  'sign-in-again': {
    scenario: signedOutByTheService,
    steps: [{ press: 'button', named: { key: 'welcome.signIn' } }],
  },
};

function signedOutByTheService(part: Partial<Scenario> = {}): Scenario {
  return usual({ account: lost, jobs: waitingJobs(moment), ...part });
}
