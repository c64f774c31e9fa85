import { moment } from '../samples/moment.ts';
import { accountAt, accountMenu, cesium, lostAt, signedInAs, survey } from '../samples/sample-accounts.ts';
import { signInEnded } from '../samples/sample-errors.ts';
import { busyJobs } from '../samples/sample-jobs.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { menu, signedOut, usual } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';

const office = accountAt(cesium);
const crew = accountAt(cesium, 'Field crew');
const longName = 'Amt für Geoinformation und Liegenschaftswesen, Außenstelle Nord, Befliegung 2026';
const long = accountAt({ ...survey, name: 'Landesamt für Vermessung und Geobasisinformation' }, longName);

export const accounts: States = {
  three: { scenario: three },
  'three-menu': { scenario: three, steps: [accountMenu()] },
  'one-menu': { scenario: usual, steps: [accountMenu()] },
  lost: { scenario: oneLost },
  'lost-menu': { scenario: oneLost, steps: [accountMenu()] },
  'all-lost': {
    scenario: () =>
      usual({
        account: {
          kind: 'signed-out',
          error: signInEnded,
          signedOut: [lostAt(cesium), lostAt(cesium, 'Field crew')],
        },
        jobs: waitingJobs(moment),
      }),
  },
  'long-names': {
    scenario: () => usual({ account: signedInAs(long, crew) }),
    steps: [accountMenu(longName)],
  },
  rename: { scenario: three, steps: [accountMenu(), rename(cesium.name)] },
  'rename-taken': {
    scenario: three,
    steps: [
      accountMenu(),
      rename(cesium.name),
      { type: 'field crew', into: { key: 'account.rename.label' } },
    ],
  },
  settings: {
    scenario: () =>
      three({
        asks: [menu('settings')],
        account: { ...signedInAs(office, crew), signedOut: [signedOutAccount] },
      }),
    steps: [{ scrollTo: 'Field crew' }],
  },
  'second-of-a-service': {
    scenario: () =>
      signedOut({
        account: {
          kind: 'waiting-for-browser',
          service: cesium,
          account: null,
          beside: [office.name, crew.name],
          returnsByScheme: true,
          endsAt: moment + 9.5 * 60_000,
          error: null,
          signedOut: [],
        },
      }),
  },
  again: {
    scenario: () =>
      signedOut({
        account: {
          kind: 'waiting-for-browser',
          service: cesium,
          account: crew.name,
          beside: [office.name],
          returnsByScheme: true,
          endsAt: moment + 9.5 * 60_000,
          error: null,
          signedOut: [],
        },
      }),
  },
  remembered: {
    scenario: () =>
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
  },
};

const signedOutAccount = { ...lostAt(survey, 'Survey North, spring'), isLost: false };

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
  return { press: 'menuitem', named: { key: 'account.rename.of', values: { name } } };
}
