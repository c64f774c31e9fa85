import { moment } from '../samples/moment.ts';
import { accountAt, accountMenu, cesium, lostAt, signedInAs, survey } from '../samples/sample-accounts.ts';
import { signInEnded } from '../samples/sample-errors.ts';
import { busyJobs } from '../samples/sample-jobs.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { menu, signedOut, usual } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { press, shown, typed } from '../steps.ts';

const office = accountAt(cesium);
const crew = accountAt(cesium, 'Field crew');
const longName = 'Amt für Geoinformation und Liegenschaftswesen, Außenstelle Nord, Befliegung 2026';
const long = accountAt({ ...survey, name: 'Landesamt für Vermessung und Geobasisinformation' }, longName);

export const accounts: States = {
  three: shown(three),
  'three-menu': shown(three, accountMenu()),
  'one-menu': shown(usual, accountMenu()),
  lost: shown(oneLost),
  'lost-menu': shown(oneLost, accountMenu()),
  'all-lost': shown(() =>
    usual({
      account: {
        kind: 'signed-out',
        error: signInEnded,
        signedOut: [lostAt(cesium), lostAt(cesium, 'Field crew')],
      },
      jobs: waitingJobs(moment),
    }),
  ),
  'long-names': shown(() => usual({ account: signedInAs(long, crew) }), accountMenu(longName)),
  rename: shown(three, accountMenu(), rename(cesium.name)),
  'rename-taken': shown(
    three,
    accountMenu(),
    rename(cesium.name),
    typed('field crew', 'account.rename.label'),
  ),
  settings: shown(
    () =>
      three({
        asks: [menu('settings')],
        account: { ...signedInAs(office, crew), signedOut: [signedOutAccount] },
      }),
    { scrollTo: 'Field crew' },
  ),
  'second-of-a-service': shown(() => signingIn(null, [office.name, crew.name])),
  again: shown(() => signingIn(crew.name, [office.name])),
  remembered: shown(() =>
    signedOut({
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

function signingIn(account: string | null, beside: readonly string[]): Scenario {
  const view = { kind: 'waiting-for-browser', service: cesium, account, beside } as const;
  const endsAt = moment + 9.5 * 60_000;
  return signedOut({ account: { ...view, returnsByScheme: true, endsAt, error: null, signedOut: [] } });
}

function three(part: Partial<Scenario> = {}): Scenario {
  const jobs = busyJobs(moment).map((job, index) => (index % 2 ? { ...job, accountId: crew.id } : job));
  return usual({ account: signedInAs(office, crew, accountAt(survey)), jobs, ...part });
}

function oneLost(): Scenario {
  const account = {
    ...signedInAs(office, accountAt(survey)),
    signedOut: [lostAt(cesium, 'Field crew'), signedOutAccount],
  };
  const jobs = waitingJobs(moment).map((job) =>
    job.waitingFor === 'sign-in' ? { ...job, accountId: crew.id } : job,
  );
  return usual({ account, jobs });
}

function rename(name: string): Step {
  return press('menuitem', 'account.rename.of', { name });
}
