import { moment } from '../samples/moment.ts';
import { cesium, lostAt } from '../samples/sample-accounts.ts';
import { signInEnded } from '../samples/sample-errors.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { menu, signedOut, usual } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';

const lost = { kind: 'signed-out', error: signInEnded, signedOut: [lostAt(cesium)] } as const;

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
  'drop-on-watch': { scenario: () => usual({ asks: [menu('watch')] }), steps: [{ drag: 'over' }] },
  palette: { scenario: () => usual({ asks: [menu('palette')] }) },
  'palette-found': { scenario: () => usual({ asks: [menu('palette')] }), steps: asking('alt') },
  'palette-nothing': { scenario: () => usual({ asks: [menu('palette')] }), steps: asking('zzz') },
  'palette-signed-out': { scenario: () => signedOutByTheService({ asks: [menu('palette')] }) },
  shortcuts: { scenario: () => usual({ asks: [menu('shortcuts')] }) },
  help: { scenario: () => usual({ asks: [menu('help')] }) },
  'help-signed-out': {
    scenario: () => signedOut(),
    steps: [{ press: 'button', named: { key: 'help.title' } }],
  },
  'help-found': {
    scenario: () => usual({ asks: [menu('help')] }),
    steps: [{ type: 'EPSG', into: { key: 'help.search' } }],
  },
  'help-nothing': {
    scenario: () => usual({ asks: [menu('help')] }),
    steps: [{ type: 'zzz', into: { key: 'help.search' } }],
  },
};

function asking(words: string): readonly Step[] {
  return [{ type: words, into: { key: 'palette.placeholder' } }];
}

function signedOutByTheService(part: Partial<Scenario> = {}): Scenario {
  return usual({ account: lost, jobs: waitingJobs(moment), ...part });
}
