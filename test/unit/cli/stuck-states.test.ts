import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { updateConditions } from '../../../main/alerts/conditions.ts';
import { exitCodeOf, linesOf } from '../../../main/cli/commands/status.ts';
import { createMetrics } from '../../../main/cli/watch/metrics/metrics.ts';
import { reportHealth } from '../../../main/cli/watch/report-health.ts';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import type { Log } from '../../../main/log.ts';
import { silentLog } from '../../../main/log.ts';
import { type StatusFacts, statusOf } from '../../../main/socket/status.ts';
import { type AlertWishes, noAlerts } from '../../../shared/schemas/watch-rule.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { job, watched } from '../desktop/stand-ins.ts';

const hourMs = 3_600_000;
const account: StatusFacts['accounts'][number] = {
  ...{ id: 'account', name: null, number: 1, endsSoonAt: null },
  address: { baseUrl: 'https://api.example', authUrl: 'https://example' },
  signedInBy: 'browser',
};

function statusWith(change: Partial<StatusFacts>) {
  return statusOf({
    ...{ nowMs: 0, startedAt: 0, accounts: [account], lostService: null, jobs: [], endedCounts: new Map() },
    ...{ rules: [watched()], lastSuccessAt: null, outageSince: null, alertsWaiting: 0, alertFailures: [] },
    ...change,
  });
}

const counts = watched().counts;
const withNotice = (
  code: ConstructorParameters<typeof TileliftError>[0],
  state: 'watching' | 'suspended',
) => ({ rules: [{ ...watched({ state }), notice: toErrorRecord(new TileliftError(code)) }] });

/** States that wait for the user, and the setting of the alert that reports each. */
const stuckStates: readonly (readonly [
  title: string,
  facts: Partial<StatusFacts>,
  alert: keyof AlertWishes | null,
])[] = [
  [
    'a source is held for your choice',
    { rules: [{ ...watched(), counts: { ...counts, held: 1 } }] },
    'waitingHours',
  ],
  ['a source has failed', { rules: [watched({ failed: 1 })] }, 'failed'],
  [
    'data waits for longer than the rule allows',
    { nowMs: 7 * hourMs, rules: [{ ...watched(), waitingSince: 0 }] },
    'waitingHours',
  ],
  ['an upload needs a confirmation', { jobs: [job({ waitingFor: 'confirmation' })] }, 'waitingHours'],
  ['the folder is missing or not mounted', withNotice('watch-folder-missing', 'suspended'), 'silentDays'],
  ['the folder is nested in another rule’s', withNotice('watch-folder-nested', 'suspended'), 'silentDays'],
  ['the target folder is unusable', withNotice('watch-target-unusable', 'suspended'), 'silentDays'],
  ['file system events are exhausted', withNotice('watch-limit-reached', 'watching'), null],
  ['the journal’s disk is full', withNotice('journal-full', 'watching'), 'waitingHours'],
  [
    'an upload can’t be written to the journal',
    { jobs: [job({ status: 'tiling', error: toErrorRecord(new TileliftError('journal-full')) })] },
    null,
  ],
  ['storage refuses uploads', withNotice('storage-denied', 'watching'), 'waitingHours'],
  ['nothing gets through', { outageSince: 0 }, 'waitingHours'],
  ['the rule’s account is signed out', { accounts: [] }, 'signedOut'],
  ['a sign-in ends soon', { accounts: [{ ...account, endsSoonAt: 1 }] }, null],
  ['alerts can’t be sent', { alertFailures: [toErrorRecord(new TileliftError('internal'))] }, null],
];

function reportsOf(status: ReturnType<typeof statusOf>) {
  const warn = vi.fn<Log['warn']>();
  const event = vi.fn();
  reportHealth(() => status, { ...silentLog, warn }, { event })();
  return { warnings: warn.mock.calls, events: event.mock.calls };
}

async function metricLines(status: ReturnType<typeof statusOf>): Promise<readonly string[]> {
  const jobs = { unfinishedJobs: () => [], get: () => undefined, onChange: () => () => {} };
  const metrics = createMetrics({ jobs, status: () => status, version: '1', clock: () => 0 });
  return (await metrics.text()).split('\n');
}

it('the published table shows each stuck state in status, metrics, log, events and alerts', async () => {
  const rows = await Promise.all(
    stuckStates.map(async ([title, facts, alert]) => {
      const status = statusWith(facts);
      const [concern] = status.concerns;
      if (!concern) throw new Error(`${title}: reported as healthy`);
      const { kind, count } = concern;
      const metric = `tilelift_concerns{kind="${kind}"} ${count}`;
      expect(await metricLines(status)).toEqual(expect.arrayContaining([metric, 'tilelift_healthy 0']));
      const { warnings, events } = reportsOf(status);
      const line = inEnglish.say(`cli.status.concern.${kind}`, { count });
      expect(warnings).toContainEqual([
        expect.objectContaining({ concerns: status.concerns }),
        `needs attention: ${line}`,
      ]);
      expect(events).toEqual([[expect.objectContaining({ event: 'health', concerns: status.concerns })]]);
      return `| ${title} | ${line} | ${exitCodeOf(status)} | \`${metric}\` | \`${kind}\` | ${alert ? `\`alerts.${alert}\`` : '–'} |`;
    }),
  );
  const head = [
    '# States that need you',
    '',
    'Written by `test/unit/cli/stuck-states.test.ts`. Each state makes `tilelift status` unhealthy. `tilelift watch` logs the concerns at level *warn* and, with `--json`, emits them in a `health` event, once whenever they change. It also logs each folder’s problem once, with rule and path.',
    'Alerts are settings of the rule: [after-the-end.md](../after-the-end.md).',
    '',
    '| state | `tilelift status` | exit code | metric | concern in log and `health` event | alert |',
    '|---|---|---|---|---|---|',
  ];
  const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'stuck-states.md');
  await expect(`${[...head, ...rows].join('\n')}\n`).toMatchFileSnapshot(file);
});

it('status counts what a folder skips and ignores, and names what it waits for', () => {
  const stuckStates = [
    { path: 'House', why: { key: 'sources.doubt.missing', values: { file: 'a.mtl' } } },
  ] as const;
  const { folders } = statusWith({
    rules: [{ ...watched(), counts: { ...counts, leftAlone: 2, skipped: 3 }, stuck: stuckStates }],
  });
  expect(folders.flatMap(linesOf).map(inEnglish.sayPhrase)).toEqual([
    expect.stringMatching(/ 0 held, 3 skipped, 2 ignored$/),
    '  House is waiting: a.mtl is required and missing',
  ]);
});

describe('updateConditions()', () => {
  const rule = {
    ...{ ruleId: 'r', ruleName: 'Landings', isOn: true, isAway: false, waitingIsWhole: true },
    ...{ lastTakenAt: null, isSignedIn: true, waitingSources: [] },
  };
  const alertsAfter = (facts: object, ms: number) => {
    const { conditions } = updateConditions(new Map(), [{ ...rule, alerts: noAlerts, ...facts }], 0);
    const { dueEvents } = updateConditions(conditions, [{ ...rule, alerts: noAlerts, ...facts }], ms);
    return dueEvents.map(({ what: alert }) => alert.kind);
  };

  it('updateConditions() reports held and waiting sources, a missing folder and a lost sign-in', () => {
    const heldSources = [{ path: 'a', arrivedAt: 0, isArriving: false }];
    const waitingHours = { ...noAlerts, waitingHours: 1 };
    expect(alertsAfter({ alerts: waitingHours, waitingSources: heldSources }, hourMs)).toEqual(['waiting']);
    const silentDays = { ...noAlerts, silentDays: 1 };
    expect(alertsAfter({ alerts: silentDays, waitingSources: null, isAway: true }, 25 * hourMs)).toEqual([
      'silent',
    ]);
    const signedOutAlerts = { ...noAlerts, signedOut: true };
    expect(alertsAfter({ alerts: signedOutAlerts, isSignedIn: false }, hourMs)).toEqual(['signed-out']);
  });
});

describe('reportHealth()', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('reportHealth() logs why a rule can’t work, once for each reason, with its name and folder', () => {
    const { rule } = watched();
    let facts: Partial<StatusFacts> = withNotice('watch-account-missing', 'watching');
    const warn = vi.fn<Log['warn']>();
    const stop = reportHealth(() => statusWith(facts), { ...silentLog, warn }, { event: () => {} });
    const reportedCodes = () => warn.mock.calls.flatMap(([{ code }]) => code ?? []);
    vi.advanceTimersByTime(60_000);
    expect(warn.mock.calls[0]).toEqual([
      { ruleId: rule.id, rule: rule.name, folder: rule.folder, code: 'watch-account-missing' },
      expect.stringMatching(/^Waiting for account/),
    ]);
    facts = {};
    vi.advanceTimersByTime(10_000);
    facts = withNotice('watch-limit-reached', 'watching');
    vi.advanceTimersByTime(60_000);
    expect(reportedCodes()).toEqual(['watch-account-missing', 'watch-limit-reached']);
    stop();
  });

  it('reportHealth() reports changed concerns once', () => {
    let facts: Partial<StatusFacts> = {};
    const event = vi.fn();
    const stop = reportHealth(() => statusWith(facts), silentLog, { event });
    const reportedHealths = () => event.mock.calls.map(([{ health }]) => health);
    vi.advanceTimersByTime(60_000);
    expect(reportedHealths()).toEqual([]);
    facts = { rules: [watched({ failed: 1 })] };
    vi.advanceTimersByTime(60_000);
    expect(reportedHealths()).toEqual(['attention']);
    facts = {};
    vi.advanceTimersByTime(60_000);
    expect(reportedHealths()).toEqual(['attention', 'healthy']);
    stop();
    facts = { outageSince: 0 };
    vi.advanceTimersByTime(60_000);
    expect(reportedHealths()).toEqual(['attention', 'healthy']);
  });
});
