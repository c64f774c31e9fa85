import { moment } from '../samples/moment.ts';
import { accountAt, accountMenu, cesium, lostAt, signedInAs, survey } from '../samples/sample-accounts.ts';
import { signInEnded } from '../samples/sample-errors.ts';
import { busyJobs } from '../samples/sample-jobs.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { menu, signedOutScenario, usualScenario } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { press, showScenario, typeInto } from '../steps.ts';

const office = accountAt(cesium);
const crew = accountAt(cesium, 'Field crew');
const longName = 'Amt für Geoinformation und Liegenschaftswesen, Außenstelle Nord, Befliegung 2026';
const longNamedAccount = accountAt(
  { ...survey, name: 'Landesamt für Vermessung und Geobasisinformation' },
  longName,
);

export const accounts: States = {
  three: showScenario(threeAccounts),
  'three-menu': showScenario(threeAccounts, accountMenu()),
  'one-menu': showScenario(usualScenario, accountMenu()),
  lost: showScenario(oneLost),
  'lost-menu': showScenario(oneLost, accountMenu()),
  'all-lost': showScenario(() =>
    usualScenario({
      account: {
        kind: 'signed-out',
        error: signInEnded,
        signedOut: [lostAt(cesium), lostAt(cesium, 'Field crew')],
      },
      jobs: waitingJobs(moment),
    }),
  ),
  'long-names': showScenario(
    () => usualScenario({ account: signedInAs(longNamedAccount, crew) }),
    accountMenu(longName),
  ),
  rename: showScenario(threeAccounts, accountMenu(), rename(cesium.name)),
  'rename-taken': showScenario(
    threeAccounts,
    accountMenu(),
    rename(cesium.name),
    typeInto('field crew', 'account.rename.label'),
  ),
  settings: showScenario(
    () =>
      threeAccounts({
        pageAsks: [menu('settings')],
        account: { ...signedInAs(office, crew), signedOut: [signedOutAccount] },
      }),
    { scrollTo: 'Field crew' },
  ),
  'second-of-a-service': showScenario(() => signingIn(null, [office.name, crew.name])),
  again: showScenario(() => signingIn(crew.name, [office.name])),
  remembered: showScenario(() =>
    signedOutScenario({
      account: {
        kind: 'signed-out',
        error: null,
        signedOut: [lostAt(cesium), lostAt(cesium, 'Field crew')].map((account) => ({
          ...account,
          isLost: false,
        })),
      },
    }),
  ),
};

const signedOutAccount = { ...lostAt(survey, 'Survey North, spring'), isLost: false };

function signingIn(account: string | null, besideNames: readonly string[]): Scenario {
  const view = { kind: 'waiting-for-browser', service: cesium, account, beside: besideNames } as const;
  const endsAt = moment + 9.5 * 60_000;
  return signedOutScenario({
    account: { ...view, returnsByScheme: true, endsAt, error: null, signedOut: [] },
  });
}

function threeAccounts(part: Partial<Scenario> = {}): Scenario {
  const jobs = busyJobs(moment).map((job, index) => (index % 2 ? { ...job, accountId: crew.id } : job));
  return usualScenario({ account: signedInAs(office, crew, accountAt(survey)), jobs, ...part });
}

function oneLost(): Scenario {
  const account = {
    ...signedInAs(office, accountAt(survey)),
    signedOut: [lostAt(cesium, 'Field crew'), signedOutAccount],
  };
  const jobs = waitingJobs(moment).map((job) =>
    job.waitingFor === 'sign-in' ? { ...job, accountId: crew.id } : job,
  );
  return usualScenario({ account, jobs });
}

function rename(name: string): Step {
  return press('menuitem', 'account.rename.of', { name });
}
