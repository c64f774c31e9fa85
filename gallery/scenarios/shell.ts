import { moment } from '../samples/moment.ts';
import { cesium, lostAt } from '../samples/sample-accounts.ts';
import { signInEnded } from '../samples/sample-errors.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { menu, signedOut, usual } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { button, shown, typed } from '../steps.ts';

const lost = { kind: 'signed-out', error: signInEnded, signedOut: [lostAt(cesium)] } as const;

export const shell: States = {
  'sign-in-lost': shown(signedOutByTheService),
  'sign-in-lost-no-keychain': shown(() =>
    signedOutByTheService({
      info: { ...usual().info, keychain: 'none' },
      account: { ...lost, error: null },
    }),
  ),
  'sign-in-again': shown(signedOutByTheService, button('welcome.signIn')),
  'drop-on-watch': shown(() => usual({ asks: [menu('watch')] }), { drag: 'over' }),
  palette: shown(() => usual({ asks: [menu('palette')] })),
  'palette-found': shown(() => usual({ asks: [menu('palette')] }), ...asking('alt')),
  'palette-nothing': shown(() => usual({ asks: [menu('palette')] }), ...asking('zzz')),
  'palette-signed-out': shown(() => signedOutByTheService({ asks: [menu('palette')] })),
  shortcuts: shown(() => usual({ asks: [menu('shortcuts')] })),
  help: shown(() => usual({ asks: [menu('help')] })),
  'help-signed-out': shown(() => signedOut(), button('help.title')),
  'help-found': shown(() => usual({ asks: [menu('help')] }), typed('EPSG', 'help.search')),
  'help-nothing': shown(() => usual({ asks: [menu('help')] }), typed('zzz', 'help.search')),
};

function asking(words: string): readonly Step[] {
  return [typed(words, 'palette.placeholder')];
}

function signedOutByTheService(part: Partial<Scenario> = {}): Scenario {
  return usual({ account: lost, jobs: waitingJobs(moment), ...part });
}
