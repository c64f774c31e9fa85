import { isDeepStrictEqual } from 'node:util';
import type { Events, JobView } from '../../preload/contract.ts';
import type { Tilelift } from '../app.ts';
import type { JobService, JobSnapshot } from '../jobs/model.ts';
import type { WatchService } from '../watch/model.ts';
import { madeHere } from './handlers/asset-handlers.ts';
import { gatherInSight, type Sight } from './sight.ts';
import { assetView } from './views/asset-views.ts';
import { jobForPage } from './views/views.ts';

/** At most this often (ms) does progress reach the page: ten times a second. */
const jobFeedMs = 100;
/** How often a page that is hidden hears of anything, ms: so that what it shows first is not long gone. */
const hiddenFeedMs = 5_000;

/**
 * Gathers changes of jobs and gives them out together, at most ten times a second, every five seconds to a
 * page that nobody sees. A job that was touched and is what it was is no change: the page asks for all of
 * them when it opens. Returns an unsubscribe function.
 */
export function feedJobs(
  jobs: JobService,
  sight: Sight,
  send: (event: Events['jobs.changed']) => void,
): () => void {
  const sent = new Map<string, JobSnapshot>();
  const tell = (ids: ReadonlySet<string>) => {
    const changed: JobView[] = [];
    const removed: string[] = [];
    for (const id of ids) {
      const job = jobs.get(id);
      if (!job) {
        sent.delete(id);
        removed.push(id);
      } else if (!isDeepStrictEqual(job, sent.get(id))) {
        sent.set(id, job);
        changed.push(jobForPage(job));
      }
    }
    if (changed.length > 0 || removed.length > 0) send({ changed, removed });
  };
  const touched = gatherInSight<string>(sight, {
    seenMs: jobFeedMs,
    hiddenMs: hiddenFeedMs,
    tell,
    onClosed: () => sent.clear(),
  });
  const stopListening = jobs.onChange(touched.add);
  return () => {
    stopListening();
    touched.stop();
  };
}

/** Tells of assets that changed since they were listed. Returns an unsubscribe function. */
export function feedAssets(
  parts: Pick<Tilelift, 'assets' | 'jobs' | 'watch'>,
  send: (event: Events['assets.changed']) => void,
): () => void {
  return parts.assets.onChange(({ accountId, changed, removed }) => {
    const here = madeHere(parts, accountId);
    send({ changed: changed.map((asset) => assetView(asset, here.has(asset.id))), removed });
  });
}

/** At most this often (ms) do watched folders reach the page: twice a second. */
const watchFeedMs = 500;

/**
 * Gathers changes of watched folders and gives them out together, every five seconds to a page that nobody
 * sees. Returns an unsubscribe function.
 */
export function feedWatch(
  watch: WatchService,
  sight: Sight,
  send: (event: Events['watch.changed']) => void,
): () => void {
  const changed = gatherInSight<string>(sight, {
    seenMs: watchFeedMs,
    hiddenMs: hiddenFeedMs,
    tell: (ids) => send({ folders: watch.rules(), sourcesOf: [...ids] }),
  });
  const stopListening = watch.onChange(changed.add);
  return () => {
    stopListening();
    changed.stop();
  };
}
