import { isDeepStrictEqual } from 'node:util';
import type { Events, JobView } from '../../../preload/contract.ts';
import type { Tilelift } from '../../app.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import type { WatchService } from '../../watch/model/model.ts';
import { assetView } from '../views/asset-views.ts';
import { jobForPage } from '../views/views.ts';
import { gatherByVisibility, type WindowVisibility } from '../window-visibility.ts';
import { madeHere } from './asset-handlers.ts';

const jobFeedMs = 100;
/** Interval for a hidden page, ms, so that it isn't outdated when shown. */
const hiddenFeedMs = 5_000;

/**
 * Sends changed jobs ten times a second, or every five seconds to a hidden page. Skips unchanged jobs,
 * because a page fetches all when it opens. Returns an unsubscribe function.
 */
export function feedJobs(
  jobs: JobService,
  visibility: WindowVisibility,
  send: (event: Events['jobs.changed']) => void,
): () => void {
  const sentJobs = new Map<string, JobSnapshot>();
  const notify = (ids: ReadonlySet<string>) => {
    const changedJobs: JobView[] = [];
    const removedIds: string[] = [];
    for (const id of ids) {
      const job = jobs.get(id);
      if (!job) {
        sentJobs.delete(id);
        removedIds.push(id);
      } else if (!isDeepStrictEqual(job, sentJobs.get(id))) {
        sentJobs.set(id, job);
        changedJobs.push(jobForPage(job));
      }
    }
    if (changedJobs.length > 0 || removedIds.length > 0) send({ changed: changedJobs, removed: removedIds });
  };
  const gatheredJobs = gatherByVisibility<string>(visibility, {
    seenMs: jobFeedMs,
    hiddenMs: hiddenFeedMs,
    notify,
    onClosed: () => sentJobs.clear(),
  });
  const stopListening = jobs.onChange(gatheredJobs.add);
  return () => {
    stopListening();
    gatheredJobs.stop();
  };
}

/** Sends assets that changed since they were listed. Returns an unsubscribe function. */
export function feedAssets(
  parts: Pick<Tilelift, 'assets' | 'jobs' | 'watch'>,
  send: (event: Events['assets.changed']) => void,
): () => void {
  return parts.assets.onChange(({ accountId, changed: changedAssets, removed: removedIds }) => {
    const localAssetIds = madeHere(parts, accountId);
    send({
      changed: changedAssets.map((asset) => assetView(asset, localAssetIds.has(asset.id))),
      removed: removedIds,
    });
  });
}

const watchFeedMs = 500;

/**
 * Sends changed watched folders twice a second, or every five seconds to a hidden page. Returns an
 * unsubscribe function.
 */
export function feedWatch(
  watch: WatchService,
  visibility: WindowVisibility,
  send: (event: Events['watch.changed']) => void,
): () => void {
  const gatheredAssets = gatherByVisibility<string>(visibility, {
    seenMs: watchFeedMs,
    hiddenMs: hiddenFeedMs,
    notify: (ids) => send({ folders: watch.rules(), sourcesOf: [...ids] }),
  });
  const stopListening = watch.onChange(gatheredAssets.add);
  return () => {
    stopListening();
    gatheredAssets.stop();
  };
}
