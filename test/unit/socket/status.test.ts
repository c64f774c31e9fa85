import { expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import { type StatusFacts, statusOf, statusSchema } from '../../../main/socket/status.ts';
import { job, watched } from '../desktop/stand-ins.ts';

const account = {
  id: 'account',
  name: null,
  number: 1,
  address: { baseUrl: 'https://api.example', authUrl: 'https://example' },
  signedInBy: 'browser',
  endsSoonAt: null,
} as const;

const hourMs = 3_600_000;

const facts = (change: Partial<StatusFacts> = {}): StatusFacts => ({
  nowMs: 1_000,
  startedAt: 0,
  accounts: [account],
  lostService: null,
  jobs: [],
  endedCounts: new Map(),
  rules: [watched()],
  lastSuccessAt: null,
  outageSince: null,
  alertsWaiting: 0,
  alertFailures: [],
  ...change,
});

it('statusOf() is healthy and counts everything when nothing needs the user', () => {
  const status = statusOf(facts({ jobs: [job()], endedCounts: new Map([['complete', { count: 2 }]]) }));
  expect(status).toMatchObject({ health: 'healthy', concerns: [] });
  expect(status.jobs).toMatchObject({ uploading: 1, complete: 2, failed: 0, tiling: 0 });
  expect(statusSchema.parse(JSON.parse(JSON.stringify(status)))).toEqual(status);
});

it('statusOf() counts jobs waiting for their turn as queued, like the window', () => {
  const jobs = [
    job({ status: 'creating', isQueued: true }),
    job({ status: 'uploading', isQueued: true }),
    job({ status: 'queued', isQueued: true }),
    job({ status: 'creating', isQueued: false }),
    job({ status: 'paused', isQueued: true }),
  ];
  expect(statusOf(facts({ jobs })).jobs).toMatchObject({ queued: 3, creating: 1, uploading: 0, paused: 1 });
});

it.each([
  ['signed-out', { accounts: [] }],
  ['signed-out', { jobs: [job({ waitingFor: 'sign-in' })] }],
  ['outage', { outageSince: 5 }],
  ['outage', { rules: [{ ...watched(), notice: toErrorRecord(new TileliftError('storage-denied')) }] }],
  ['folder-away', { rules: [watched({ state: 'suspended' })] }],
  [
    'folder-away',
    {
      rules: [
        { ...watched({ state: 'paused' }), notice: toErrorRecord(new TileliftError('watch-folder-nested')) },
      ],
    },
  ],
] as const)('statusOf() is failing: %s', (kind, change) => {
  const { health, concerns } = statusOf(facts(change));
  expect({ health, first: concerns[0]?.kind }).toEqual({ health: 'failing', first: kind });
});

it.each([
  ['failed', { rules: [watched({ failed: 2 })] }, 2],
  ['confirmation', { jobs: [job({ waitingFor: 'confirmation' })] }, 1],
  ['sign-in-ends', { accounts: [{ ...account, endsSoonAt: 9 }] }, 1],
  ['waiting-long', { nowMs: 7 * hourMs, rules: [{ ...watched(), waitingSince: 0 }] }, 1],
  [
    'notice',
    { rules: [{ ...watched(), notice: toErrorRecord(new TileliftError('watch-limit-reached')) }] },
    1,
  ],
  ['alerts-failing', { alertFailures: [toErrorRecord(new TileliftError('internal'))] }, 1],
] as const)('statusOf() needs attention: %s', (kind, change, count) => {
  expect(statusOf(facts(change))).toMatchObject({ health: 'attention', concerns: [{ kind, count }] });
});

it('statusOf() counts each account that has to sign in once, whatever waits for it', () => {
  const waitingJob = job({ waitingFor: 'sign-in', accountId: watched().rule.accountId });
  const signedOut = (change: Partial<StatusFacts>) =>
    statusOf(facts(change)).concerns.find(({ kind }) => kind === 'signed-out')?.count;
  const rules = [watched({ id: 'a' }), watched({ id: 'b' })];
  expect(signedOut({ accounts: [], rules: [] })).toBe(1);
  expect(signedOut({ accounts: [], rules, jobs: [waitingJob] })).toBe(1);
  expect(signedOut({ accounts: [], rules, jobs: [job({ ...waitingJob, accountId: 'other' })] })).toBe(2);
});

it('statusOf() lets a source wait for six hours or its rule’s time', () => {
  const rule = watched();
  const patientRule = { ...rule, rule: { ...rule.rule, alerts: { ...rule.rule.alerts, waitingHours: 24 } } };
  const verdict = (snapshot: typeof rule, hours: number) =>
    statusOf(facts({ nowMs: hours * hourMs, rules: [{ ...snapshot, waitingSince: 0 }] })).health;
  expect([verdict(rule, 6), verdict(rule, 6.1)]).toEqual(['healthy', 'attention']);
  expect([verdict(patientRule, 24), verdict(patientRule, 24.1)]).toEqual(['healthy', 'attention']);
});

it('statusOf() ignores disabled rules', () => {
  expect(statusOf(facts({ rules: [watched({ on: false, failed: 3 })] })).health).toBe('healthy');
});
