import { moment } from '../samples/moment.ts';
import { cesium, lostAt } from '../samples/sample-accounts.ts';
import { signInEnded } from '../samples/sample-errors.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { menu, signedOutScenario, usualScenario } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { button, showScenario, typeInto } from '../steps.ts';

const lostConcern = { kind: 'signed-out', error: signInEnded, signedOut: [lostAt(cesium)] } as const;

export const shell: States = {
  'sign-in-lost': showScenario(signedOutByTheService),
  'sign-in-lost-no-keychain': showScenario(() =>
    signedOutByTheService({
      info: { ...usualScenario().info, keychain: 'none' },
      account: { ...lostConcern, error: null },
    }),
  ),
  'sign-in-again': showScenario(signedOutByTheService, button('welcome.signIn')),
  'drop-on-watch': showScenario(() => usualScenario({ pageAsks: [menu('watch')] }), { drag: 'over' }),
  palette: showScenario(() => usualScenario({ pageAsks: [menu('palette')] })),
  'palette-found': showScenario(() => usualScenario({ pageAsks: [menu('palette')] }), ...askingSteps('alt')),
  'palette-nothing': showScenario(
    () => usualScenario({ pageAsks: [menu('palette')] }),
    ...askingSteps('zzz'),
  ),
  'palette-signed-out': showScenario(() => signedOutByTheService({ pageAsks: [menu('palette')] })),
  shortcuts: showScenario(() => usualScenario({ pageAsks: [menu('shortcuts')] })),
  help: showScenario(() => usualScenario({ pageAsks: [menu('help')] })),
  'help-signed-out': showScenario(() => signedOutScenario(), button('help.title')),
  'help-found': showScenario(
    () => usualScenario({ pageAsks: [menu('help')] }),
    typeInto('EPSG', 'help.search'),
  ),
  'help-nothing': showScenario(
    () => usualScenario({ pageAsks: [menu('help')] }),
    typeInto('zzz', 'help.search'),
  ),
};

function askingSteps(words: string): readonly Step[] {
  return [typeInto(words, 'palette.placeholder')];
}

function signedOutByTheService(part: Partial<Scenario> = {}): Scenario {
  return usualScenario({ account: lostConcern, jobs: waitingJobs(moment), ...part });
}
