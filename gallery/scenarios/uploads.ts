import type { JobStatus } from '../../preload/contract.ts';
import { moment } from '../samples/moment.ts';
import { accountMenu, cesium, signedInTo, survey } from '../samples/sample-accounts.ts';
import { denied, journalDamaged, journalUnusable, noSandbox, unreachable } from '../samples/sample-errors.ts';
import { busyJobs, correctedJobs, manyJobs, queuedJobs } from '../samples/sample-jobs.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { usual, watching } from '../samples/usual.ts';
import type { Scenario, Shown, States } from '../scenario.ts';
import { workingHours } from './settings.ts';

export const uploads: States = {
  first: { scenario: () => usual({ jobs: [] }) },
  'first-without-sample': {
    scenario: () => usual({ jobs: [], info: { ...usual().info, samplePath: null } }),
  },
  one: { scenario: () => usual({ jobs: busyJobs(moment).slice(0, 1) }) },
  busy: { scenario: usual },
  shown: { scenario: pictureScenario },
  moving: { scenario: () => usual({ moving: true }) },
  waiting: { scenario: () => usual({ jobs: waitingJobs(moment) }) },
  long: { scenario: long },
  'long-at-its-end': {
    scenario: long,
    steps: [{ scroll: 'to the end' }],
  },
  'long-moving': { scenario: () => ({ ...long(), moving: true }) },
  queue: { scenario: () => usual({ jobs: queuedJobs(moment, 12) }) },
  'queue-300': { scenario: queue300 },
  'queue-compact': {
    scenario: () => ({ ...queue300(), info: { ...usual().info, compactRows: true } }),
  },
  'queue-selected': {
    scenario: queue300,
    steps: [
      { press: 'checkbox', named: { key: 'queue.select', values: { name: 'Los 1 – Befliegung' } } },
      { press: 'checkbox', named: { key: 'queue.select', values: { name: 'Los 3 – Befliegung' } } },
    ],
  },
  'queue-menu': { scenario: queue300, steps: [{ press: 'button', named: { key: 'queue.all' } }] },
  'queue-row-menu': {
    scenario: queue300,
    steps: [{ menuOf: 'Los 2 – Befliegung' }],
  },
  'queue-rename': {
    scenario: queue300,
    steps: [{ menuOf: 'Los 2 – Befliegung' }, { press: 'menuitem', named: { key: 'queue.rename' } }],
  },
  'queue-removed': {
    scenario: queue300,
    steps: [
      { press: 'button', named: { key: 'queue.all' } },
      { press: 'menuitem', named: { key: 'queue.removeAll' } },
    ],
  },
  offline: {
    scenario: () =>
      usual({
        online: false,
        jobs: waitingJobs(moment).filter(({ waitingFor }) => waitingFor !== null && waitingFor !== 'sign-in'),
      }),
  },
  limited: { scenario: () => usual({ bandwidth: { ...workingHours, limit: 50e6 } }) },
  'no-sandbox': { scenario: () => usual({ notices: [noSandbox] }) },
  'journal-damaged': { scenario: () => usual({ notices: [journalDamaged] }) },
  'two-accounts': { scenario: () => usual({ account: signedInTo(cesium, survey) }) },
  'sign-in-ends-soon': { scenario: () => usual({ account: endingSoon() }) },
  'account-menu': {
    scenario: () => usual({ account: signedInTo(cesium, survey) }),
    steps: [accountMenu()],
  },
  'account-error': {
    scenario: () => usual({ account: { ...signedInTo(cesium, survey), error: denied } }),
  },
  'new-asset-menu': {
    scenario: usual,
    steps: [{ press: 'button', named: { key: 'shell.newAsset' }, begins: true }],
  },
  'long-found-nothing': { scenario: long, steps: [{ type: 'Marsch', into: { key: 'lists.findUploads' } }] },
  'drag-over': { scenario: usual, steps: [{ drag: 'over' }] },
  'row-menu': {
    scenario: usual,
    steps: [
      { press: 'button', named: { key: 'general.moreActions', values: { name: 'ALS Block 7 (laz)' } } },
    ],
  },
  'complete-menu': {
    scenario: usual,
    steps: [
      {
        press: 'button',
        named: { key: 'general.moreActions', values: { name: 'Orthophoto 20 cm – Kreis Ost' } },
      },
    ],
  },
  share: {
    scenario: usual,
    steps: [
      {
        press: 'button',
        named: { key: 'general.moreActions', values: { name: 'Orthophoto 20 cm – Kreis Ost' } },
      },
      { press: 'menuitem', named: { key: 'general.share' } },
    ],
  },
  'cancel-asked': {
    scenario: usual,
    steps: [
      {
        press: 'button',
        named: { key: 'general.moreActions', values: { name: 'Hafen Süd 2026-11 – Befliegung' } },
      },
      { press: 'menuitem', named: { key: 'job.menu.cancel' } },
    ],
  },
  'notice-done': {
    scenario: usual,
    steps: [
      {
        press: 'button',
        named: { key: 'general.moreActions', values: { name: 'Orthophoto 20 cm – Kreis Ost' } },
      },
      { press: 'menuitem', named: { key: 'job.menu.copyId' } },
    ],
  },
  'notice-batch': { scenario: () => batch('complete') },
  'notice-batch-mixed': { scenario: () => batch('data-error') },
  'only-these': {
    scenario: () =>
      usual({ jobs: manyJobs(moment, 40), asks: [{ kind: 'jobs', ids: ['many-1', 'many-2', 'many-3'] }] }),
  },
  'notice-failed': {
    scenario: () => usual({ actError: unreachable }),
    steps: [
      {
        press: 'button',
        named: {
          key: 'job.action.of',
          values: { action: { key: 'general.pause' }, name: 'Hafen Süd 2026-11 – Befliegung' },
        },
      },
    ],
  },
  'history-refused': opened('harbour', () => busyJobs(moment), { historyError: journalUnusable }),
  ...Object.fromEntries(
    busyJobs(moment).map(({ id }) => [`details-${id}`, opened(id, () => busyJobs(moment))]),
  ),
  ...Object.fromEntries(
    waitingJobs(moment).map(({ id }) => [`details-waiting-${id}`, opened(id, () => waitingJobs(moment))]),
  ),
  'details-corrected': opened('corrected', () => correctedJobs(moment)),
  'earlier-attempt': {
    ...opened('corrected', () => correctedJobs(moment)),
    steps: [
      { press: 'button', named: { key: 'job.status.dataError' }, begins: true },
      { scrollTo: { key: 'job.earlier', values: { count: 1 } } },
    ],
  },
  'details-watched': opened('watch-harbour', () => watching().jobs),
};

/** Twelve uploads that end together, two with this status. */
function batch(two: JobStatus): Scenario {
  const ends = manyJobs(moment, 60)
    .filter(({ status }) => status === 'complete')
    .slice(0, 12)
    .map((job, index) => ({ ...job, status: index < 2 ? two : job.status }));
  const tilingJobs = ends.map((job) => ({ ...job, status: 'tiling' as const, endedAt: null }));
  return usual({ jobs: tilingJobs, ends });
}

function queue300(): Scenario {
  return usual({ jobs: queuedJobs(moment, 300) });
}

function long(): Scenario {
  return usual({ jobs: manyJobs(moment, 1000) });
}

function opened(id: string, jobs: () => Scenario['jobs'], part: Partial<Scenario> = {}): Shown {
  return {
    scenario: () => usual({ jobs: jobs(), asks: [{ kind: 'job', id }], ...part }),
    steps: [
      { scrollTo: { key: 'job.details', values: { name: jobs().find((job) => job.id === id)?.name ?? '' } } },
    ],
  };
}

/** Few jobs in many states, for the README's picture. */
function pictureScenario(): Scenario {
  const ids = ['harbour', 'offline', 'completing', 'tiling', 'paused', 'queued', 'complete', 'data'];
  return usual({ jobs: busyJobs(moment).filter(({ id }) => ids.includes(id)) });
}

function endingSoon() {
  const account = signedInTo(cesium, survey);
  const endsSoonAt = moment + 3 * 24 * 3_600_000;
  return {
    ...account,
    accounts: account.accounts.map((item) => (item.service === survey ? { ...item, endsSoonAt } : item)),
  };
}
