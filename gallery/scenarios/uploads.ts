import type { JobView } from '../../preload/contract.ts';
import { moment } from '../samples/moment.ts';
import { accountMenu, cesium, signedInTo, survey } from '../samples/sample-accounts.ts';
import {
  deniedError,
  journalDamaged,
  journalUnusable,
  noSandbox,
  unreachableError,
} from '../samples/sample-errors.ts';
import { busyJobs, correctedJobs, manyJobs, queuedJobs } from '../samples/sample-jobs.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { usualScenario, watchingScenario } from '../samples/usual.ts';
import type { Scenario, ShownScenario, States } from '../scenario.ts';
import { beginning, button, press, scrollTo, showScenario, typeInto } from '../steps.ts';
import { workingHours } from './settings.ts';

export const uploads: States = {
  first: showScenario(() => usualScenario({ jobs: [] })),
  'first-without-sample': showScenario(() =>
    usualScenario({ jobs: [], info: { ...usualScenario().info, samplePath: null } }),
  ),
  one: showScenario(() => usualScenario({ jobs: busyJobs(moment).slice(0, 1) })),
  busy: showScenario(usualScenario),
  shown: showScenario(pictureScenario),
  moving: showScenario(() => usualScenario({ moving: true })),
  waiting: showScenario(() => usualScenario({ jobs: waitingJobs(moment) })),
  long: showScenario(longNamesScenario),
  'long-at-its-end': showScenario(longNamesScenario, { scroll: 'to the end' }),
  'long-moving': showScenario(() => ({ ...longNamesScenario(), moving: true })),
  queue: showScenario(() => usualScenario({ jobs: queuedJobs(moment, 12) })),
  'queue-300': showScenario(queue300),
  'queue-compact': showScenario(() => ({
    ...queue300(),
    info: { ...usualScenario().info, compactRows: true },
  })),
  'queue-selected': showScenario(
    queue300,
    press('checkbox', 'queue.select', { name: 'Los 1 – Befliegung' }),
    press('checkbox', 'queue.select', { name: 'Los 3 – Befliegung' }),
  ),
  'queue-menu': showScenario(queue300, button('queue.all')),
  'queue-row-menu': showScenario(queue300, { menuOf: 'Los 2 – Befliegung' }),
  'queue-rename': showScenario(queue300, { menuOf: 'Los 2 – Befliegung' }, press('menuitem', 'queue.rename')),
  'queue-removed': showScenario(queue300, button('queue.all'), press('menuitem', 'queue.removeAll')),
  thumbnails: showScenario(withThumbnails),
  'thumbnails-compact': showScenario(() => ({
    ...withThumbnails(),
    info: { ...usualScenario().info, compactRows: true },
  })),
  offline: showScenario(() =>
    usualScenario({
      isOnline: false,
      jobs: waitingJobs(moment).filter(({ waitingFor }) => waitingFor !== null && waitingFor !== 'sign-in'),
    }),
  ),
  limited: showScenario(() => usualScenario({ bandwidth: { ...workingHours, limit: 50e6 } })),
  'no-sandbox': showScenario(() => usualScenario({ notices: [noSandbox] })),
  'journal-damaged': showScenario(() => usualScenario({ notices: [journalDamaged] })),
  'two-accounts': showScenario(() => usualScenario({ account: signedInTo(cesium, survey) })),
  'sign-in-ends-soon': showScenario(() => usualScenario({ account: endingSoon() })),
  'account-menu': showScenario(() => usualScenario({ account: signedInTo(cesium, survey) }), accountMenu()),
  'account-error': showScenario(() =>
    usualScenario({ account: { ...signedInTo(cesium, survey), error: deniedError } }),
  ),
  'new-asset-menu': showScenario(usualScenario, beginning(button('shell.newAsset'))),
  'long-found-nothing': showScenario(longNamesScenario, typeInto('Marsch', 'lists.findUploads')),
  'drag-over': showScenario(usualScenario, { drag: 'over' }),
  'row-menu': showScenario(usualScenario, button('general.moreActions', { name: 'ALS Block 7 (laz)' })),
  'complete-menu': showScenario(
    usualScenario,
    button('general.moreActions', { name: 'Orthophoto 20 cm – Kreis Ost' }),
  ),
  share: showScenario(
    usualScenario,
    button('general.moreActions', { name: 'Orthophoto 20 cm – Kreis Ost' }),
    press('menuitem', 'general.share'),
  ),
  'cancel-asked': showScenario(
    usualScenario,
    button('general.moreActions', { name: 'Hafen Süd 2026-11 – Befliegung' }),
    press('menuitem', 'job.menu.cancel'),
  ),
  'notice-done': showScenario(
    usualScenario,
    button('general.moreActions', { name: 'Orthophoto 20 cm – Kreis Ost' }),
    press('menuitem', 'job.menu.copyId'),
  ),
  'notice-batch': showScenario(() => batches([12, 0])),
  'notice-batches': showScenario(() => batches([12, 0], [26, 5])),
  'only-these': showScenario(() =>
    usualScenario({
      jobs: manyJobs(moment, 40),
      pageAsks: [{ kind: 'jobs', ids: ['many-1', 'many-2', 'many-3'] }],
    }),
  ),
  'notice-failed': showScenario(
    () => usualScenario({ actError: unreachableError }),
    button('job.action.of', { action: { key: 'general.pause' }, name: 'Hafen Süd 2026-11 – Befliegung' }),
  ),
  'history-refused': openedUploads('harbour', () => busyJobs(moment), { historyError: journalUnusable }),
  ...Object.fromEntries(
    busyJobs(moment).map(({ id }) => [`details-${id}`, openedUploads(id, () => busyJobs(moment))]),
  ),
  ...Object.fromEntries(
    waitingJobs(moment).map(({ id }) => [
      `details-waiting-${id}`,
      openedUploads(id, () => waitingJobs(moment)),
    ]),
  ),
  'details-corrected': openedUploads('corrected', () => correctedJobs(moment)),
  'earlier-attempt': {
    ...openedUploads('corrected', () => correctedJobs(moment)),
    steps: [beginning(button('job.status.dataError')), scrollTo('job.earlier', { count: 1 })],
  },
  'details-watched': openedUploads('watch-harbour', () => watchingScenario().jobs),
};

/** Batches of uploads that end one after the other. */
function batches(...counts: readonly (readonly [complete: number, failed: number])[]): Scenario {
  const jobs = manyJobs(moment, 80).filter(({ status }) => status === 'complete');
  const endedBatches = counts.map(([complete, failed]) =>
    jobs
      .splice(0, complete + failed)
      .map((job, index): JobView => ({ ...job, status: index < complete ? 'complete' : 'data-error' })),
  );
  const unfinished = (job: JobView): JobView => ({ ...job, status: 'tiling', endedAt: null });
  const [first = [], ...later] = endedBatches;
  const changes = later.flatMap((batch) => [...batch.map(unfinished), ...batch]);
  return usualScenario({ jobs: first.map(unfinished), endedJobs: [...first, ...changes] });
}

/** Uploads with and without a thumbnail. */
function withThumbnails(): Scenario {
  const kinds = ['RASTER_IMAGERY', 'RASTER_TERRAIN', 'POINT_CLOUD', 'CITYGML'];
  return usualScenario({
    jobs: queuedJobs(moment, 6).map((job, index) => ({ ...job, sourceType: kinds[index % 4] ?? '' })),
  });
}

function queue300(): Scenario {
  return usualScenario({ jobs: queuedJobs(moment, 300) });
}

function longNamesScenario(): Scenario {
  return usualScenario({ jobs: manyJobs(moment, 1000) });
}

function openedUploads(
  id: string,
  jobs: () => Scenario['jobs'],
  part: Partial<Scenario> = {},
): ShownScenario {
  return showScenario(
    () => usualScenario({ jobs: jobs(), pageAsks: [{ kind: 'job', id }], ...part }),
    scrollTo('job.details', { name: jobs().find((job) => job.id === id)?.name ?? '' }),
  );
}

/** Few jobs in many states, for the README's picture. */
function pictureScenario(): Scenario {
  const ids = ['harbour', 'offline', 'completing', 'tiling', 'paused', 'queued', 'complete', 'data'];
  return usualScenario({ jobs: busyJobs(moment).filter(({ id }) => ids.includes(id)) });
}

function endingSoon() {
  const account = signedInTo(cesium, survey);
  const endsSoonAt = moment + 3 * 24 * 3_600_000;
  return {
    ...account,
    accounts: account.accounts.map((item) => (item.service === survey ? { ...item, endsSoonAt } : item)),
  };
}
