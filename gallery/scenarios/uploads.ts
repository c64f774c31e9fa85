import type { JobStatus } from '../../preload/contract.ts';
import { moment } from '../samples/moment.ts';
import { accountMenu, cesium, signedInTo, survey } from '../samples/sample-accounts.ts';
import { denied, journalDamaged, journalUnusable, noSandbox, unreachable } from '../samples/sample-errors.ts';
import { busyJobs, correctedJobs, manyJobs, queuedJobs } from '../samples/sample-jobs.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { usual, watching } from '../samples/usual.ts';
import type { Scenario, Shown, States } from '../scenario.ts';
import { begins, button, press, scrollTo, shown, typed } from '../steps.ts';
import { workingHours } from './settings.ts';

export const uploads: States = {
  first: shown(() => usual({ jobs: [] })),
  'first-without-sample': shown(() => usual({ jobs: [], info: { ...usual().info, samplePath: null } })),
  one: shown(() => usual({ jobs: busyJobs(moment).slice(0, 1) })),
  busy: shown(usual),
  shown: shown(pictureScenario),
  moving: shown(() => usual({ moving: true })),
  waiting: shown(() => usual({ jobs: waitingJobs(moment) })),
  long: shown(long),
  'long-at-its-end': shown(long, { scroll: 'to the end' }),
  'long-moving': shown(() => ({ ...long(), moving: true })),
  queue: shown(() => usual({ jobs: queuedJobs(moment, 12) })),
  'queue-300': shown(queue300),
  'queue-compact': shown(() => ({ ...queue300(), info: { ...usual().info, compactRows: true } })),
  'queue-selected': shown(
    queue300,
    press('checkbox', 'queue.select', { name: 'Los 1 – Befliegung' }),
    press('checkbox', 'queue.select', { name: 'Los 3 – Befliegung' }),
  ),
  'queue-menu': shown(queue300, button('queue.all')),
  'queue-row-menu': shown(queue300, { menuOf: 'Los 2 – Befliegung' }),
  'queue-rename': shown(queue300, { menuOf: 'Los 2 – Befliegung' }, press('menuitem', 'queue.rename')),
  'queue-removed': shown(queue300, button('queue.all'), press('menuitem', 'queue.removeAll')),
  thumbnails: shown(pictured),
  'thumbnails-compact': shown(() => ({ ...pictured(), info: { ...usual().info, compactRows: true } })),
  offline: shown(() =>
    usual({
      online: false,
      jobs: waitingJobs(moment).filter(({ waitingFor }) => waitingFor !== null && waitingFor !== 'sign-in'),
    }),
  ),
  limited: shown(() => usual({ bandwidth: { ...workingHours, limit: 50e6 } })),
  'no-sandbox': shown(() => usual({ notices: [noSandbox] })),
  'journal-damaged': shown(() => usual({ notices: [journalDamaged] })),
  'two-accounts': shown(() => usual({ account: signedInTo(cesium, survey) })),
  'sign-in-ends-soon': shown(() => usual({ account: endingSoon() })),
  'account-menu': shown(() => usual({ account: signedInTo(cesium, survey) }), accountMenu()),
  'account-error': shown(() => usual({ account: { ...signedInTo(cesium, survey), error: denied } })),
  'new-asset-menu': shown(usual, begins(button('shell.newAsset'))),
  'long-found-nothing': shown(long, typed('Marsch', 'lists.findUploads')),
  'drag-over': shown(usual, { drag: 'over' }),
  'row-menu': shown(usual, button('general.moreActions', { name: 'ALS Block 7 (laz)' })),
  'complete-menu': shown(usual, button('general.moreActions', { name: 'Orthophoto 20 cm – Kreis Ost' })),
  share: shown(
    usual,
    button('general.moreActions', { name: 'Orthophoto 20 cm – Kreis Ost' }),
    press('menuitem', 'general.share'),
  ),
  'cancel-asked': shown(
    usual,
    button('general.moreActions', { name: 'Hafen Süd 2026-11 – Befliegung' }),
    press('menuitem', 'job.menu.cancel'),
  ),
  'notice-done': shown(
    usual,
    button('general.moreActions', { name: 'Orthophoto 20 cm – Kreis Ost' }),
    press('menuitem', 'job.menu.copyId'),
  ),
  'notice-batch': shown(() => batch('complete')),
  'notice-batch-mixed': shown(() => batch('data-error')),
  'only-these': shown(() =>
    usual({ jobs: manyJobs(moment, 40), asks: [{ kind: 'jobs', ids: ['many-1', 'many-2', 'many-3'] }] }),
  ),
  'notice-failed': shown(
    () => usual({ actError: unreachable }),
    button('job.action.of', {
      action: { key: 'general.pause' },
      name: 'Hafen Süd 2026-11 – Befliegung',
    }),
  ),
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
    steps: [begins(button('job.status.dataError')), scrollTo('job.earlier', { count: 1 })],
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

/** Uploads with and without a thumbnail. */
function pictured(): Scenario {
  const kinds = ['RASTER_IMAGERY', 'RASTER_TERRAIN', 'POINT_CLOUD', 'CITYGML'];
  return usual({
    jobs: queuedJobs(moment, 6).map((job, index) => ({ ...job, sourceType: kinds[index % 4] ?? '' })),
  });
}

function queue300(): Scenario {
  return usual({ jobs: queuedJobs(moment, 300) });
}

function long(): Scenario {
  return usual({ jobs: manyJobs(moment, 1000) });
}

function opened(id: string, jobs: () => Scenario['jobs'], part: Partial<Scenario> = {}): Shown {
  return shown(
    () => usual({ jobs: jobs(), asks: [{ kind: 'job', id }], ...part }),
    scrollTo('job.details', { name: jobs().find((job) => job.id === id)?.name ?? '' }),
  );
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
